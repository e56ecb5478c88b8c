import { createHash } from "node:crypto";
import keywords from "emojilib" with { type: "json" };
import emoji from "unicode-emoji-json/data-by-emoji.json" with { type: "json" };
import type { Plugin } from "vite";

/** Newer ones are empty boxes on many systems. */
const NEWEST = 15;

/** The desk's emoji as it reads them: groups in Unicode's order, each emoji with its name and its other words. */
export function listEmoji(): { name: string; emoji: [emoji: string, name: string, words: string][] }[] {
  const groups = new Map<string, [string, string, string][]>();
  const wordsOf: Readonly<Record<string, readonly string[]>> = keywords;
  for (const [each, { name, group, emoji_version: version }] of Object.entries(emoji)) {
    if (Number(version) > NEWEST) continue;
    const words = (wordsOf[each] ?? []).map((word) => word.replaceAll("_", " ").toLowerCase());
    const others = words.filter((word) => word !== name.toLowerCase());
    groups.set(group, [...(groups.get(group) ?? []), [each, name, others.join(" ")]]);
  }
  return [...groups].map(([name, list]) => ({ name, emoji: list }));
}

/** Emits the emoji as a file that the desk reads when somebody opens them, and defines its name, `__PARLEY_EMOJI__`. */
export function emojiAssets(): Plugin {
  const source = JSON.stringify(listEmoji());
  const hash = createHash("sha256").update(source).digest("base64url").slice(0, 8);
  const fileName = `assets/emoji-${hash}.json`;
  return {
    name: "parley-emoji",
    config: () => ({ define: { __PARLEY_EMOJI__: JSON.stringify(fileName) } }),
    generateBundle() {
      this.emitFile({ type: "asset", fileName, source });
    },
  };
}
