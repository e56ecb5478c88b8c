import type { Clock } from "../../../shared/server/clock.ts";
import type { Sql } from "./sql.ts";
import type { Write } from "./write-queue.ts";

/** The dependencies that all parts of the SQLite store share. */
export interface StoreCore {
  readonly sql: Sql;
  readonly write: Write;
  readonly clock: Clock;
}
