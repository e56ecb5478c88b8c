import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { en } from "../widget/app/locales/en.ts";
import { peopleTexts } from "../widget/desk/people-texts.ts";
import { texts } from "../widget/desk/texts.ts";
import { contrast, parseHex } from "../widget/ui/accent.ts";

// Facts of docs/accessibility.md that hold for every screen at once: they are read off the sources of panel and desk.
const ROOT = `${import.meta.dirname}/../widget`;
const read = (file: string) => readFileSync(`${ROOT}/${file}`, "utf8");
const sheets = globSync("**/*.css", { cwd: ROOT }).sort();
const sources = globSync("{app,client,desk,frame,loader,ui}/**/*.{ts,tsx}", { cwd: ROOT })
  .filter((file) => !/test|locales/.test(file))
  .sort();
const filesWith = (pattern: RegExp, files: readonly string[]) =>
  files.filter((file) => pattern.test(read(file)));

/** Every sentence among texts, however deep; of a function its own words. */
function sentencesOf(given: unknown): string[] {
  if (typeof given === "object" && given !== null) return Object.values(given).flatMap(sentencesOf);
  return [String(given)];
}

/** Sentences that tell somebody where a thing stands, or how it looks. */
const tellingBySight = (given: unknown) =>
  sentencesOf(given).filter((sentence) =>
    /\b(on|to|at) the (left|right|top|bottom)\b|\b(above|round|square|green|red|blue|yellow|gr[ae]y)\b/i.test(
      sentence,
    ),
  );

/** How long each animation that does not end takes for one round, in seconds. */
const roundsOf = (css: string) =>
  [...css.matchAll(/animation:[^;]*?([\d.]+)(m?)s[^;]*infinite/g)].map(
    ([, time, milli]) => Number(time) / (milli ? 1000 : 1),
  );

describe("what panel and desk show to everybody", () => {
  it("no sentence names a place, a shape or a colour", () => {
    expect(tellingBySight([en, texts, peopleTexts])).toEqual([]);
    // The control.
    expect(tellingBySight(["Fine", { deep: () => "Press the green button on the left" }])).toHaveLength(1);
  });

  it("what is read stands in the order in which it is written", () => {
    // On a small desk: the buttons of a head stand below its heading, and one button above its explanation.
    const reordering = /\border:\s*-?\d|-reverse\b/;
    expect(filesWith(reordering, sheets)).toEqual([
      "desk/css/conversation.module.css",
      "desk/css/foot.module.css",
    ]);
  });

  it("nothing flashes: no round of an animation is shorter than a second, and the title says only how things stand", () => {
    const rounds = sheets.flatMap((file) => roundsOf(read(file)));
    expect(rounds.length).toBeGreaterThan(0);
    expect(Math.min(...rounds)).toBeGreaterThanOrEqual(1);
    expect(roundsOf(".x { animation: blink 200ms infinite; }")).toEqual([0.2]);
    expect(filesWith(/\.title = /, sources)).toEqual(["desk/main.tsx", "frame/main.tsx"]);
    expect(filesWith(/setInterval/, sources)).toEqual([]);
  });

  it("there is no picture but those that somebody attached", () => {
    const pictures = ["desk/parts/message-files.tsx", "ui/message-files.tsx", "ui/tray.tsx"];
    expect(filesWith(/<img\b/, sources)).toEqual(pictures);
    expect(filesWith(/url\(/, sheets)).toEqual([]);
  });

  it("the desk has one bar, on each of its pages", () => {
    expect(filesWith(/<DeskBar\b/, sources)).toEqual(["desk/screens/desk-screen.tsx"]);
    const pages = read("desk/screens/desk-screen.tsx").match(/<DeskBar desk={desk} user={user} \/>\s*[<{]/g);
    expect(pages).toHaveLength(2);
  });

  it("nothing acts when a press begins", () => {
    // Each takes note of it, or closes what a click may open again: the teaser's Close keeps the focus where it is, the
    // header knows where a pull began, a press elsewhere closes the menu, and a sound may be played from then on.
    expect(
      filesWith(/\bon(Pointer|Mouse|Touch)(Down|Start)|"(pointer|mouse)down"|"touchstart"/, sources),
    ).toEqual(["ui/header.tsx", "ui/more.tsx", "ui/sound.ts", "ui/teaser.tsx"]);
  });

  it("what has the focus has a ring: who draws none stands in a box that draws it, or is a heading", () => {
    const bare = sheets.filter((file) => /outline: (none|0)\b/.test(read(file)));
    expect(bare).toEqual([
      "desk/css/foot.module.css",
      "desk/css/people.module.css",
      "ui/composer.module.css",
    ]);
    for (const [file, box] of [
      ["desk/css/foot.module.css", ".composer-box"],
      ["ui/composer.module.css", ".composer"],
    ] as const) {
      expect(read(file)).toMatch(
        new RegExp(`\\${box}:focus-within \\{[^}]*(box-shadow|outline|border-color)`),
      );
    }
    expect(read("desk/css/people.module.css")).toMatch(
      /h1:focus-visible,\s*\.made h2:focus-visible \{\s*outline: none/,
    );
    expect(read("ui/look.css")).toMatch(/^:focus-visible \{[^}]*box-shadow: var\(--focus\)/m);
  });
});

describe("what is no text", () => {
  const look = read("ui/look.css");
  const pairOf = (name: string) =>
    (new RegExp(`--${name}: (.*);`).exec(look)?.[1] ?? "").match(/#[0-9a-f]{3,6}/g) ?? [];
  const rgb = (color = "") => parseHex(color) ?? [0, 0, 0];

  it("LOOK1 the borders of boxes, the icons and the ring of the focus have 3:1", () => {
    for (const name of ["line-strong", "ink-faint", "accent-text"]) {
      for (const ground of ["surface", "paper", "surface-sunken"]) {
        for (const scheme of [0, 1]) {
          const ratio = contrast(rgb(pairOf(name)[scheme]), rgb(pairOf(ground)[scheme]));
          expect(ratio, `${name} on ${ground}, ${scheme ? "dark" : "light"}`).toBeGreaterThanOrEqual(3);
        }
      }
    }
    // The control: lines that part things, and need not be seen, have less.
    expect(contrast(rgb(pairOf("line")[0]), rgb(pairOf("surface")[0]))).toBeLessThan(3);
  });
});
