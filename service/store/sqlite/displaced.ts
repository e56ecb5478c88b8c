import { StoreFault } from "../store-fault.ts";

/** The files under an open database are no longer those at its path: no later start would find what it writes. */
export class DisplacedError extends StoreFault {
  override readonly name = "DisplacedError";
  constructor() {
    super(
      "The database was moved, deleted or replaced while the service runs: nothing new is stored. Put the same file back, or stop the service and restore a backup.",
    );
  }
}
