import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { jsonOf } from "../../../shared/json.ts";
import { errorFacts, type Log } from "../../../shared/server/log.ts";
import type { SpentStore } from "./token-budget.ts";

const Spent = z.object({
  day: z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/)),
  tokens: z.int().check(z.nonnegative()),
});

/** Stores the tokens of today in the agent's own folder. A file that can't be written is reported once. */
export function createSpentFile(dataDir: string, log: Log): SpentStore {
  const folder = join(dataDir, "agent-openai");
  const path = join(folder, "spent.json");
  let isReported = false;
  return {
    read() {
      try {
        return Spent.safeParse(jsonOf(readFileSync(path, "utf8"))).data;
      } catch {
        // Before the first answer there is no file.
        return undefined;
      }
    },
    write(spent) {
      try {
        if (!existsSync(folder)) mkdirSync(folder);
        // Renaming replaces the file at once, so that a killed process leaves no half of it.
        writeFileSync(`${path}.new`, JSON.stringify(spent));
        renameSync(`${path}.new`, path);
      } catch (error) {
        if (isReported) return;
        isReported = true;
        log.warn(errorFacts(error), "the tokens of today can't be stored: a restart would count from 0");
      }
    },
  };
}
