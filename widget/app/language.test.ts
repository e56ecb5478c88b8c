import { signal } from "@preact/signals";
import { describe, expect, it } from "vitest";
import type { PanelSettings } from "../../shared/frame-port.ts";
import { negotiate } from "../../shared/languages.ts";
import { createLanguage } from "./language.ts";
import { en } from "./locales/en.ts";
import { settle } from "./testing/manual-time.ts";

const KEYS = Object.keys(en);
const LIST = "v1 ar de es es-419 fa he id nb pt pt-br ur zh zh-tw";

/** A file as the build creates it; missing texts are shown in English. */
const file = (texts: Record<string, unknown>) => JSON.stringify(texts);

function start(
  settings: PanelSettings,
  files: Record<string, string>,
  preferred: readonly string[] = ["en"],
) {
  const asked: string[] = [];
  const set = signal(settings);
  const { language, wake } = createLanguage({
    fetch: async (path) => {
      asked.push(path);
      const body = files[path.replace(/^\/assets\/locale-(.*)-v1\.json$/, "$1")];
      if (body === undefined) throw new TypeError("offline");
      return new Response(body);
    },
    list: LIST,
    settings: set,
    preferred,
  });
  return { asked, files, language, set, wake };
}

describe("LANG1 the language", () => {
  it.each([
    [["pt-BR"], "pt-br", "pt-BR"],
    [["pt_BR"], "pt-br", "pt-BR"],
    [["pt-AO"], "pt", "pt-AO"],
    [["de-CH-1996"], "de", "de-CH-1996"],
    [["es-MX"], "es-419", "es-MX"],
    [["es-ES"], "es", "es-ES"],
    [["es-419"], "es-419", "es-419"],
    [["zh-Hant"], "zh-tw", "zh-Hant"],
    [["zh-HK"], "zh-tw", "zh-HK"],
    [["zh-Hant-MO"], "zh-tw", "zh-Hant-MO"],
    [["zh-CN"], "zh", "zh-CN"],
    [["no"], "nb", "no"],
    [["nn-NO"], "nb", "nn-NO"],
    [["iw"], "he", "he"],
    [["in"], "id", "id"],
    [["xx", "de"], "de", "de"],
    [["en-GB", "de"], "en", "en-GB"],
    [["xx"], "en", "en"],
    [["no language", "../../api", ""], "en", "en"],
    [[], "en", "en"],
  ])("for %j is that of %s", (asked, name, tag) => {
    expect(negotiate(asked, LIST.split(" ").slice(1))).toEqual([name, tag]);
  });

  it("is the site's, otherwise the browser's; English until its texts are loaded", async () => {
    const { language, asked } = start({}, { de: file({ send: "Senden" }) }, ["de-AT", "en"]);
    expect(language.value).toMatchObject({ tag: "en", dir: "ltr", texts: { send: "Send" } });
    await settle();
    expect(language.value).toMatchObject({ tag: "de-AT", texts: { send: "Senden", retry: "Retry" } });
    expect(asked).toEqual(["/assets/locale-de-v1.json"]);
  });

  it("changes at run time, one file at a time, and ends with the last requested one", async () => {
    const { language, asked, set } = start(
      { locale: "de" },
      { de: file({ send: "Senden" }), ar: file({ send: "إرسال" }) },
    );
    set.value = { locale: "pt" };
    set.value = { locale: "ar-EG" };
    expect(asked).toHaveLength(1);
    await settle();
    expect(language.value).toMatchObject({ tag: "ar-EG", dir: "rtl", texts: { send: "إرسال" } });
    expect(asked).toEqual(["/assets/locale-de-v1.json", "/assets/locale-ar-v1.json"]);
    set.value = { locale: "en" };
    await settle();
    expect(language.value).toMatchObject({ tag: "en", dir: "ltr", texts: { send: "Send" } });
    expect(asked).toHaveLength(2);
  });

  it.each(["ar", "fa-IR", "he", "ur"])("%s is written from right to left", async (locale) => {
    const { language } = start({ locale }, { ar: file({}), fa: file({}), he: file({}), ur: file({}) });
    expect(language.value.dir).toBe("ltr");
    await settle();
    expect(language.value.dir).toBe("rtl");
  });

  it("that can't be loaded is English, and is retried when the panel wakes", async () => {
    const { language, asked, files, wake } = start({ locale: "de" }, {});
    await settle();
    expect(language.value).toMatchObject({ tag: "en", texts: { send: "Send" } });
    wake();
    await settle();
    files["de"] = file({ send: "Senden" });
    wake();
    await settle();
    wake();
    expect(language.value).toMatchObject({ tag: "de", texts: { send: "Senden" } });
    expect(asked).toHaveLength(3);
  });

  it.each([
    ["a list", JSON.stringify(["Senden"])],
    ["a text", JSON.stringify("Senden")],
    ["a page", "<!doctype html>"],
    ["nothing", "null"],
  ])("is not accepted from %s", async (_name, body) => {
    const { language } = start({ locale: "de" }, { de: body });
    await settle();
    expect(language.value).toMatchObject({ tag: "en", texts: { send: "Send" } });
  });

  it("leaves the texts as they are when an unrelated setting changes", async () => {
    const { language, set } = start({ locale: "de" }, { de: file({ send: "Senden" }) });
    await settle();
    const before = language.value.texts;
    set.value = { locale: "de", color: "#123456" };
    expect(language.value.texts).toBe(before);
    set.value = { locale: "de", title: "Hafen" };
    expect(language.value.texts.title).toBe("Hafen");
    // The dialog has the shop's name, or the chat's own where the owner set none.
    expect(language.value.texts.panel).toBe("Hafen");
    set.value = { locale: "de", texts: JSON.stringify({ de: { title: "Pier" } }) };
    expect(language.value.texts.panel).toBe("Pier");
    set.value = { locale: "de" };
    expect(language.value.texts.panel).not.toMatch(/Hafen|Pier/);
    set.value = { locale: "de", title: "Hafen" };
  });
});

describe("LANG2 the owner's own texts", () => {
  const TEXTS = JSON.stringify({
    de: { greeting: "Moin!", talkToPerson: "Team fragen" },
    "de-AT": { greeting: "Servus! {x} <b>" },
    fr: { greeting: "Salut" },
  });
  const greetingOf = async (settings: PanelSettings) => {
    const { language } = start(settings, { de: file({ greeting: "Hallo" }) });
    await settle();
    return language.value.texts.greeting;
  };

  it.each([
    [{ locale: "de" }, "Hallo"],
    [{ locale: "de", greeting: "Hi" }, "Hi"],
    [{ locale: "de", greeting: "Hi", texts: TEXTS }, "Moin!"],
    [{ locale: "de-at", greeting: "Hi", texts: TEXTS }, "Servus! {x} <b>"],
    [{ locale: "en", greeting: "Hi", texts: TEXTS }, "Hi"],
    [{ locale: "de", texts: "{" }, "Hallo"],
    [{ locale: "de", texts: "null" }, "Hallo"],
    [{ locale: "de", texts: '{"de":null}' }, "Hallo"],
    [{ locale: "de", texts: '{"de":{"greeting":7}}' }, "Hallo"],
    [{ locale: "de", texts: '{"de":{"greeting":""}}' }, "Hallo"],
    [{ locale: "de", texts: JSON.stringify({ de: { greeting: "x".repeat(301) } }) }, "Hallo"],
  ])("of %j greet with %s", async (settings, greeting) => {
    expect(await greetingOf(settings)).toBe(greeting);
  });

  it("can't turn a doubt into a success, nor the agent into a person", () => {
    const forbidden = Object.fromEntries(KEYS.map((key) => [key, "Sent by Ann"]));
    const { language } = start({ texts: JSON.stringify({ en: forbidden }) }, {});
    const changed = KEYS.filter((key) => language.value.texts[key as "sent"] === "Sent by Ann");
    expect(changed).toEqual([
      // The title names the dialog too.
      "panel",
      "placeholder",
      "placeholderFirst",
      "talkToPerson",
      "title",
      "greeting",
      "fallback_mail",
      "fallback_phone",
      "fallback_link",
    ]);
  });
});
