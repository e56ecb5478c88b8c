import { parseArgs } from "node:util";

export const USAGE = `Usage:
  npm run knowledge -- ask "QUESTION" [--said TEXT]... [--dir FOLDER] [--locale TAG] [--json]
      what customers would get, and why; --said is an earlier message, oldest first, of the agent if it begins with "agent:"
  npm run knowledge -- report FILE... [--dir FOLDER] [--split dev|test|all] [--json]
      asks the questions of files (JSON lines, see docs/knowledge.md) and counts right and wrong answers
  npm run knowledge -- gaps [--days N] [--workspace ID] [--json]
      the questions of the last N days (7) that found nothing, and those whose answer was marked not helpful, grouped by likeness
  npm run knowledge -- replay [--days N] [--workspace ID] [--dir FOLDER] [--json]
      the questions of the last N days (1), asked again of the articles as they are now: what would be answered otherwise

The articles are those of KNOWLEDGE_DIR and KNOWLEDGE_URLS, or of FOLDER. gaps and replay read the database in DATA_DIR,
also while the service runs, and print what customers wrote.
`;

/** The arguments are wrong; its message is a sentence. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export type Arguments = Readonly<ReturnType<typeof readArguments>>;

const MAX_DAYS = 3650;

/** @throws UsageError */
export function readArguments(args: readonly string[]) {
  const { values, positionals } = parse(args);
  const [command = "", ...rest] = positionals;
  const days = values.days === undefined ? undefined : Number(values.days);
  if (days !== undefined && !(Number.isInteger(days) && days >= 1 && days <= MAX_DAYS)) {
    throw new UsageError(`--days takes a whole number from 1 to ${MAX_DAYS}.`);
  }
  return {
    command,
    rest,
    said: values.said ?? [],
    directory: values.dir,
    locale: localeOf(values.locale),
    workspace: values.workspace,
    days,
    split: splitOf(values.split),
    json: values.json ?? false,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        said: { type: "string", multiple: true },
        dir: { type: "string" },
        locale: { type: "string" },
        workspace: { type: "string" },
        days: { type: "string" },
        split: { type: "string" },
        json: { type: "boolean" },
      },
    });
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : "The options are not understood.", {
      cause,
    });
  }
}

function splitOf(split = "test"): "dev" | "test" | "all" {
  if (split === "dev" || split === "test" || split === "all") return split;
  throw new UsageError(`--split takes dev, test or all, not ${split}.`);
}

function localeOf(tag: string | undefined): string | undefined {
  if (tag === undefined) return undefined;
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch (cause) {
    throw new UsageError(`--locale takes a language tag such as de or pt-BR, not ${tag}.`, { cause });
  }
}
