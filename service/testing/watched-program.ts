import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A program in its own process, whose answers at `/v1` are all compared with `/v1/openapi.json`. */
export interface WatchedProgram {
  /** Node's flags for the program. */
  readonly flags: readonly string[];
  /** Call it after the process ended, and when it has restarted. @throws Error that names each deviation */
  readonly requireDescribed: () => void;
}

export function watchProgram(): WatchedProgram {
  const report = join(tmpdir(), `parley-answers-${randomUUID()}`);
  const main = new URL(`./watched-main.js?report=${encodeURIComponent(report)}`, import.meta.url).href;
  return {
    flags: ["--import", main],
    requireDescribed() {
      if (!existsSync(report)) return;
      const deviations = [...new Set(readFileSync(report, "utf8").trim().split("\n"))];
      rmSync(report);
      throw new Error(`The service deviated from its document:\n${deviations.join("\n")}`);
    },
  };
}
