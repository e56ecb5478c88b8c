/** The store can't be used, for a reason that an operator can mend: `/readyz` shows `message`, so it names no path. */
export class StoreFault extends Error {
  override readonly name: string = "StoreFault";
}
