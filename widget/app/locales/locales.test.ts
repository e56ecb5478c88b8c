// @vitest-environment node
import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { namesOf, negotiate, readTag } from "../../../shared/languages.ts";
import { readLocaleAssets } from "../../locale-assets.ts";
import { FAILURE_CODES } from "../problem-texts.ts";
import { en } from "./en.ts";

type Phrase = string | Readonly<Record<string, string>>;

const APP = `${import.meta.dirname}/..`;
const TAGS = globSync("*.json", { cwd: import.meta.dirname }).map((file) => basename(file, ".json"));
const english: Readonly<Record<string, Phrase>> = en;
const document = readFileSync(`${APP}/../../docs/languages.md`, "utf8");
/** The texts marked as doubts in the translators' table. */
const DOUBTS = [...document.matchAll(/^\| `(\w+)` \| \*\*doubt\*\*/gm)].map(([, key = ""]) => key);
/** Words that a customer could take for success, in any sense. */
const SUCCESS = /\b(sent|connected|delivered|ended|done|success\w*|received|complete\w*|deleted)\b/i;

const readLocale = (tag: string) =>
  JSON.parse(readFileSync(`${import.meta.dirname}/${tag}.json`, "utf8")) as Record<string, Phrase>;
const formsOf = (phrase: Phrase) => (typeof phrase === "string" ? { text: phrase } : phrase);
const placesOf = (text: string) => [...new Set(text.match(/\{[^}]*\}/g) ?? [])].sort();

const categories = new Map<string, ReadonlyMap<string, readonly number[]>>();

/** The integers of each plural category that a count can be of. */
function categoriesOf(tag: string): ReadonlyMap<string, readonly number[]> {
  const known = categories.get(tag);
  if (known) return known;
  const rules = new Intl.PluralRules(tag);
  const found = new Map<string, number[]>();
  for (const count of [...Array(1000).keys(), 1_000_000]) {
    const category = rules.select(count);
    found.set(category, [...(found.get(category) ?? []), count]);
  }
  categories.set(tag, found);
  return found;
}

/** Lists the faults of a translated text: its type, places, plural forms and characters. */
function faultsOf(tag: string, key: string, phrase: Phrase | undefined): string[] {
  const own = english[key];
  if (phrase === undefined || own === undefined) return [`${key}: ${own ? "missing" : "unknown"}`];
  if (typeof phrase !== typeof own) return [`${key}: should be ${typeof own}`];
  const counts = categoriesOf(tag);
  const faults: string[] = [];
  const wanted = placesOf(Object.values(formsOf(own)).at(-1) ?? "");
  if (typeof phrase !== "string") {
    const forms = [...new Set([...counts.keys(), "other"])].sort().join();
    if (Object.keys(phrase).sort().join() !== forms) faults.push(`${key}: forms should be ${forms}`);
  }
  for (const [form, text] of Object.entries(formsOf(phrase))) {
    // A form for only one number may say it in words: "two letters" is one word in Arabic.
    const isOneNumber = counts.get(form)?.length === 1;
    const places = placesOf(text);
    const expected =
      isOneNumber && !places.includes("{count}") ? wanted.filter((p) => p !== "{count}") : wanted;
    if (places.join() !== expected.join())
      faults.push(`${key} ${form}: places ${places.join()} for ${wanted.join()}`);
    if (text.trim() !== text || text === "") faults.push(`${key} ${form}: empty, or spaces around it`);
    if (/ [:;!?…]/.test(text)) faults.push(`${key} ${form}: a line may break before a mark`);
    if (/[<>]|&\w+;|[\p{Cc}\p{Co}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(text)) {
      faults.push(`${key} ${form}: markup or control characters`);
    }
  }
  return faults;
}

const allFaults = (tag: string, texts: Readonly<Record<string, Phrase>>) =>
  [...new Set([...Object.keys(english), ...Object.keys(texts)])].flatMap((key) =>
    faultsOf(tag, key, texts[key]),
  );

describe("LANG3 each language", () => {
  it.each(["en", ...TAGS])(
    "%s has every text, with its places and all plural forms, and no markup",
    (tag) => {
      expect(allFaults(tag, tag === "en" ? english : readLocale(tag))).toEqual([]);
    },
  );

  it("control: each fault is found", () => {
    const one = { ...english, send: undefined as unknown as string, nowhere: "x" };
    expect(allFaults("en", one)).toEqual(["send: missing", "nowhere: unknown"]);
    const wrong: Record<string, Phrase> = {
      send: "<b>",
      retry: " x",
      copy: "Copy ?",
      says: "{name}:",
      close: { other: "x" },
      roomLeft: { one: "one left", other: "some left" },
      tooLong: { other: "{count}" },
    };
    const faults = Object.entries(wrong).flatMap(([key, phrase]) => faultsOf("en", key, phrase));
    expect(faults).toEqual([
      "send text: markup or control characters",
      "retry text: empty, or spaces around it",
      "copy text: a line may break before a mark",
      "says text: places {name} for {author}",
      "close: should be string",
      "roomLeft other: places  for {count}",
      "tooLong: forms should be one,other",
    ]);
    // In Russian "one" is 1, 21, 31 too.
    expect(
      faultsOf("ru", "roomLeft", { one: "один", few: "{count}", many: "{count}", other: "{count}" }),
    ).toEqual(["roomLeft one: places  for {count}"]);
  });

  it.each(TAGS)("%s is found by its own name, in small letters", (tag) => {
    const canonical = readTag(tag) ?? "";
    expect(canonical.toLowerCase()).toBe(tag);
    expect(namesOf(canonical)[0]).toBe(tag);
    expect(negotiate([canonical], TAGS)).toEqual([tag, canonical]);
    expect(Intl.PluralRules.supportedLocalesOf(tag)).toHaveLength(1);
  });

  it.each(TAGS)("no doubt of %s contains its word for sent", (tag) => {
    const texts = readLocale(tag);
    const said = (key: string) =>
      Object.values(formsOf(texts[key] ?? ""))
        .join(" ")
        .toLocaleLowerCase(tag);
    expect(DOUBTS.filter((key) => said(key).includes(said("sent")))).toEqual([]);
    expect(said("sent")).not.toBe("");
  });

  it.each(["ar", "fa", "he", "ur"])(
    "%s begins no sentence with a Latin letter, which decides its direction",
    (tag) => {
      const begun = Object.entries(readLocale(tag)).filter(([, phrase]) =>
        Object.values(formsOf(phrase)).some((text) =>
          /^\P{L}*\p{Script=Latin}/u.test(text.replace(/\{\w+\}/g, "")),
        ),
      );
      // The agent's name is not a sentence.
      expect(begun.map(([key]) => key).filter((key) => key !== "agent")).toEqual([]);
    },
  );

  it.each(TAGS)("%s says that the chat could not be loaded, which says nothing about support", (tag) => {
    const { chatNotLoaded, problem_support_unreachable } = readLocale(tag);
    expect(chatNotLoaded).not.toContain(problem_support_unreachable);
  });

  it.each(TAGS)("%s has its own full stop in the launcher's name", (tag) => {
    const { openChatUnread, problem_internal } = readLocale(tag) as Record<string, string>;
    expect(openChatUnread?.includes(". ")).toBe(problem_internal?.endsWith("."));
  });

  it.each(TAGS)("%s asks for another try where support could not read a message", (tag) => {
    const { problem_bad_json, problem_internal } = readLocale(tag) as Record<string, string>;
    expect(problem_bad_json?.slice(-5)).toBe(problem_internal?.slice(-5));
  });

  it("no English doubt contains a word of success", () => {
    const said = (key: string) => Object.values(formsOf(english[key] ?? "sent")).join(" ");
    expect(DOUBTS.length).toBeGreaterThan(35);
    expect(DOUBTS.filter((key) => SUCCESS.test(said(key)))).toEqual([]);
    expect(["sent", "conversationEnded", "erased"].filter((key) => !SUCCESS.test(said(key)))).toEqual([]);
  });

  it("is at an address that changes with any text of any language", () => {
    const { list, files } = readLocaleAssets();
    const [version, ...tags] = list.split(" ");
    expect(version).toMatch(/^[\w-]{8}$/);
    expect(tags).toEqual(TAGS.toSorted());
    expect(files[0]?.fileName).toBe(`assets/locale-${tags[0]}-${version}.json`);
    expect(JSON.parse(files[0]?.source ?? "")).toEqual(readLocale(tags[0] ?? ""));
  });
});

describe("LANG4 the panel's texts", () => {
  const sources = globSync("**/*.{ts,tsx}", { cwd: `${APP}/..`, exclude: (name) => name.includes(".test.") })
    .filter(
      (file) =>
        /^(app|elements|ui|loader-words)\b/.test(file) &&
        !file.includes("/testing") &&
        !file.includes("locales/"),
    )
    .map((file) => readFileSync(`${APP}/../${file}`, "utf8"))
    .join("\n");
  const keys = Object.keys(english);
  const isUsed = (key: string) =>
    new RegExp(`\\b(texts|names)\\.${key}\\b`).test(sources) ||
    // Chosen by a code, a notice or a kind: `texts[\`notice_\${notice}\`]`.
    (key.includes("_") && sources.includes(`texts[\`${key.replace(/_.*/, "_")}\${`));

  it("are each used", () => {
    expect(keys.filter((key) => !isUsed(key))).toEqual([]);
  });

  it("are each explained to translators", () => {
    const explained = [...document.matchAll(/^\| `(\w+)` \| \S/gm)].map(([, key = ""]) => key);
    expect([...explained].sort()).toEqual([...keys].sort());
  });

  it("control: an unused one is found", () => {
    expect(["nowhere", "nowhere_else"].filter(isUsed)).toEqual([]);
  });

  it("have one sentence for each failure, and none for another", () => {
    const own = keys.filter((key) => key.startsWith("problem_")).map((key) => key.slice("problem_".length));
    expect(own.filter((code) => !FAILURE_CODES.includes(code as "internal"))).toEqual([]);
    expect(new Set(FAILURE_CODES).size).toBe(FAILURE_CODES.length);
  });
});
