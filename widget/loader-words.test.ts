// @vitest-environment node
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { readLoaderWords, speakLoader } from "./loader-words.ts";
import { localeTags } from "./locale-assets.ts";

/** The four places, as they are in the built script. */
const CODE =
  'n=s("div",{role:"status"}),f=s("iframe",{title:"Chat",src:o}),w=()=>n.textContent="Chat could not be reached. Try again.",' +
  'p=(t,A)=>b.setAttribute("aria-label",t||A.label||"Open chat")';
const WORDS = { lang: "xx", launcher: 'A "B" $& C', frame: "D", note: "E" };

/** Runs a spoken script; gives what it puts on the launcher, the note and the frame. */
function run(code: string, title: string, label: string): unknown {
  const launcher: Record<string, unknown> = {};
  const setAttribute = (name: string, value: string) => void Object.assign(launcher, { [name]: value });
  Object.defineProperty(launcher, "setAttribute", { value: setAttribute });
  const around = `let n,f,w,p;${code};w();p(title,{label});[b,n,f]`;
  const s = (_: string, given: object) => given;
  return runInNewContext(around, { b: launcher, label, o: "/", s, title });
}

describe("LANG7 the loader in another language", () => {
  it("says its own words in it and marks them; a name that others gave is in a language that only they know", () => {
    const spoken = speakLoader(CODE, WORDS);
    const note = { role: "status", lang: "xx", textContent: "E" };
    const frame = { lang: "xx", title: "D", src: "/" };
    expect(run(spoken, "", "")).toEqual([{ lang: "xx", "aria-label": 'A "B" $& C' }, note, frame]);
    expect(run(spoken, "from the frame", "")).toEqual([
      { lang: "", "aria-label": "from the frame" },
      note,
      frame,
    ]);
    expect(run(spoken, "", "the owner's")).toEqual([{ lang: "", "aria-label": "the owner's" }, note, frame]);
  });

  it.each(["Open chat", "Chat could not be reached. Try again.", 'title:"Chat"', 'role:"status"'])(
    "there is none where %s is missing or stands twice: the build ends",
    (place) => {
      expect(() => speakLoader(CODE.replace(place, ""), WORDS)).toThrow(/has 0 places like/);
      expect(() => speakLoader(`${CODE};${CODE}`, WORDS)).toThrow(/has 2 places like/);
    },
  );

  it("has words in each language that the panel has", () => {
    const all = readLoaderWords();
    expect(all.map(({ lang }) => lang)).toEqual(localeTags());
    expect(all.length).toBeGreaterThan(60);
    for (const { lang, ...words } of all) {
      for (const text of Object.values(words)) expect(text, lang).toMatch(/^(?!.*[{}])\S.*\S$/);
    }
    const notes = Object.fromEntries(all.map(({ lang, note }) => [lang, note]));
    expect(notes).toMatchObject({
      de: "Der Support war nicht erreichbar. Erneut versuchen.",
      ar: "تعذّر الوصول إلى الدعم. إعادة المحاولة.",
      ja: "サポートにつながりませんでした。再試行。",
      hi: "सहायता टीम से संपर्क नहीं हो सका। फिर कोशिश करें।",
    });
  });
});
