import { readFileSync } from "node:fs";
import type { V1Operation } from "../../shared/operation.ts";

const DOCUMENT = readFileSync(new URL("../../docs/contract.md", import.meta.url), "utf8");
const LINES = DOCUMENT.split("\n");
const CONVERSATION = "/v1/support/conversations/:id";
/** A whole rule of the document with its exceptions is too long for a failure. */
const MAX_CHARACTERS = 400;

/** What docs/contract.md says about an operation's answer. */
export function sentenceOf({ method, path }: Pick<V1Operation, "method" | "path">): string {
  const row = LINES.find((line) => line.startsWith("| ") && line.includes(`| \`${method} ${path}\` |`));
  const cell = row?.split("|").at(-2)?.trim();
  if (cell !== undefined) return cell;
  // Beyond the seven an address is also written without its beginning.
  const short = ["…", "...", ""].map((start) => `${method} ${path.replace(CONVERSATION, `${start}/:id`)}`);
  const bare = `${method} ...${path.replace(CONVERSATION, "")}`;
  for (const name of [`${method} ${path}`, ...short, bare]) {
    const line = LINES.find((one) => one.includes(`\`${name}`));
    const at = line?.indexOf(`\`${name}`) ?? -1;
    if (line && at >= 0) return clip(line.slice(at));
  }
  return "docs/contract.md does not name this endpoint.";
}

/** The rule of docs/contract.md about answers that deny themselves. */
export function denialSentence(): string {
  return clip(
    LINES.find((line) => line.includes("**A 2xx that reports a failure**"))?.replace(/^- /, "") ?? "",
  );
}

function clip(text: string): string {
  return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS)}…`;
}
