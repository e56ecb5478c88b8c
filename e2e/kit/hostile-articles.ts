import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PAYLOADS } from "./hostile-payloads.ts";

/** A folder of articles, each about `wardrobeN`, whose steps are payloads; titles and sources are payloads too. */
export function hostileDirectory(size = 20): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), "parley-articles-"));
  for (let at = 0, index = 0; at < PAYLOADS.length; at += size, index += 1) {
    const steps = PAYLOADS.slice(at, at + size);
    const lines = steps.map((payload, step) => `${step + 1}. ${payload}`);
    const title = PAYLOADS[(at + index) % PAYLOADS.length];
    const source = PAYLOADS.filter((payload) => /^\w+:/.test(payload))[index] ?? "javascript:pwned()";
    writeFileSync(
      join(path, `article-${index}.md`),
      `---\ntitle: ${title}\nurl: ${source}\n---\n# wardrobe${index}\n\nwardrobe${index} quoted, in these steps:\n\n${lines.join("\n")}\n`,
    );
  }
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
