import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { en } from "../widget/app/locales/en.ts";
import { peopleTexts } from "../widget/desk/people-texts.ts";
import { texts } from "../widget/desk/texts.ts";
import { parseHex } from "../widget/elements/testing-contrast.ts";
import { contrast } from "../widget/frame/accent.ts";

// Facts of docs/accessibility.md that hold for every screen at once, checked in the sources of panel and desk.
const ROOT = `${import.meta.dirname}/../widget`;
const read = (file: string) => readFileSync(`${ROOT}/${file}`, "utf8");
const sheets = globSync("**/*.css", { cwd: ROOT }).sort();
const sources = globSync("{app,client,desk,elements,frame,loader,ui}/**/*.{ts,tsx}", { cwd: ROOT })
  .filter((file) => !/test|locales/.test(file))
  .sort();
const filesWith = (pattern: RegExp, files: readonly string[]) =>
  files.filter((file) => pattern.test(read(file)));

/** Every sentence in the texts, however deeply nested; for a function, the strings in its source. */
function sentencesOf(given: unknown): string[] {
  if (typeof given === "object" && given !== null) return Object.values(given).flatMap(sentencesOf);
  return [String(given)];
}

/** Sentences that describe something by its position or its look. */
const tellingBySight = (given: unknown) =>
  sentencesOf(given).filter((sentence) =>
    /\b(on|to|at) the (left|right|top|bottom)\b|\b(above|round|square|green|red|blue|yellow|gr[ae]y)\b/i.test(
      sentence,
    ),
  );

/** The duration of one iteration of each endless animation, in seconds. */
const roundsOf = (css: string) =>
  [...css.matchAll(/animation:[^;]*?([\d.]+)(m?)s[^;]*infinite/g)].map(
    ([, time, milli]) => Number(time) / (milli ? 1000 : 1),
  );

describe("what panel and desk show to everybody", () => {
  it("no sentence refers to a position, a shape or a colour", () => {
    expect(tellingBySight([en, texts, peopleTexts])).toEqual([]);
    // The control.
    expect(tellingBySight(["Fine", { deep: () => "Press the green button on the left" }])).toHaveLength(1);
  });

  it("the visual order matches the source order", () => {
    // On a small desk: a header's buttons are below its heading, and one button is above its explanation.
    const reordering = /\border:\s*-?\d|-reverse\b/;
    expect(filesWith(reordering, sheets)).toEqual([
      "desk/css/conversation.module.css",
      "desk/css/foot.module.css",
    ]);
  });

  it("nothing flashes: no animation repeats within a second, and the title only states facts", () => {
    const rounds = sheets.flatMap((file) => roundsOf(read(file)));
    expect(rounds.length).toBeGreaterThan(0);
    expect(Math.min(...rounds)).toBeGreaterThanOrEqual(1);
    expect(roundsOf(".x { animation: blink 200ms infinite; }")).toEqual([0.2]);
    expect(filesWith(/\.title = /, sources)).toEqual(["desk/main.tsx", "frame/main.tsx"]);
    expect(filesWith(/setInterval/, sources)).toEqual([]);
  });

  it("the only pictures are those that somebody attached", () => {
    const pictures = [
      "desk/parts/message-files.tsx",
      "desk/parts/reply-files.tsx",
      "elements/lightbox.tsx",
      "ui/composer/tray.tsx",
      "ui/message-files.tsx",
    ];
    expect(filesWith(/<img\b/, sources)).toEqual(pictures);
    expect(filesWith(/url\(/, sheets)).toEqual([]);
  });

  it("the desk has one bar, on each of its pages", () => {
    expect(filesWith(/<DeskBar\b/, sources)).toEqual(["desk/screens/desk-screen.tsx"]);
    const pages = read("desk/screens/desk-screen.tsx").match(/<DeskBar user={user} \/>\s*[<{]/g);
    expect(pages).toHaveLength(2);
  });

  it("nothing acts on the start of a press", () => {
    // Each handler only records it, or closes what a click may open again: the teaser's Close leaves the focus in
    // place, the header notes where a drag began, a press elsewhere closes the menu and the emoji, and sound is allowed
    // from then on.
    expect(
      filesWith(/\bon(Pointer|Mouse|Touch)(Down|Start)|"(pointer|mouse)down"|"touchstart"/, sources),
    ).toEqual([
      "desk/browser-alerts.ts",
      "desk/parts/emoji-button.tsx",
      "ui/header.tsx",
      "ui/more.tsx",
      "ui/sound.ts",
      "ui/teaser.tsx",
    ]);
  });

  it("everything that can have the focus shows a ring, on itself or on its box, or is a heading", () => {
    const bare = sheets.filter((file) => /outline: (none|0)\b/.test(read(file)));
    expect(bare).toEqual([
      "desk/css/foot.module.css",
      "desk/css/people.module.css",
      "ui/composer/composer.module.css",
      "ui/past/past-view.module.css",
    ]);
    for (const [file, box] of [
      ["desk/css/foot.module.css", ".composer-box"],
      ["ui/composer/composer.module.css", ".composer"],
      ["ui/past/past-view.module.css", ".search"],
    ] as const) {
      expect(read(file)).toMatch(
        new RegExp(`\\${box}:focus-within \\{[^}]*(box-shadow|outline|border-color)`),
      );
    }
    expect(read("desk/css/people.module.css")).toMatch(
      /h1:focus-visible,\s*\.made h2:focus-visible \{\s*outline: none/,
    );
    expect(read("elements/look.css")).toMatch(/^:focus-visible \{[^}]*box-shadow: var\(--focus\)/m);
  });
});

describe("contrast of everything except text", () => {
  const look = read("elements/look.css");
  const pairOf = (name: string) =>
    (new RegExp(`--${name}: (.*);`).exec(look)?.[1] ?? "").match(/#[0-9a-f]{3,6}/g) ?? [];
  const rgb = (color = "") => parseHex(color);

  it("LOOK1 borders, icons and the focus ring have 3:1", () => {
    for (const name of ["line-strong", "ink-faint", "accent-text"]) {
      for (const ground of ["surface", "paper", "surface-sunken"]) {
        for (const scheme of [0, 1]) {
          const ratio = contrast(rgb(pairOf(name)[scheme]), rgb(pairOf(ground)[scheme]));
          expect(ratio, `${name} on ${ground}, ${scheme ? "dark" : "light"}`).toBeGreaterThanOrEqual(3);
        }
      }
    }
    // The control: separators, which need not be seen, have less.
    expect(contrast(rgb(pairOf("line")[0]), rgb(pairOf("surface")[0]))).toBeLessThan(3);
  });
});
