import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A document whose commands a test runs as they stand. */
export interface CommandDocument {
  /** The commands below a heading, without those of the headings below it. */
  readonly commandsOf: (heading: string) => string;
}

/** Reads a document of `docs/`. */
export function readDocument(name: string): CommandDocument {
  const text = readFileSync(join(import.meta.dirname, "../../docs", name), "utf8");
  return {
    commandsOf(heading) {
      const section = text.split(/^#+ /m).find((part) => part.startsWith(`${heading}\n`)) ?? "";
      const blocks = [...section.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, commands]) => commands);
      if (blocks.length === 0) throw new Error(`docs/${name} has no commands below "${heading}".`);
      return blocks.join("\n");
    },
  };
}
