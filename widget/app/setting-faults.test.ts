// @vitest-environment node
import { describe, expect, it } from "vitest";
import { faultsIn } from "./setting-faults.ts";

const TEXTS = "must be a JSON object of known texts per language, each up to 300 characters";
const namesIn = (settings: object) => faultsIn(settings, () => true).map(({ what }) => what);

describe("PAGE9 a setting of the page", () => {
  it.each([
    ["position", "middle", "must be left or right"],
    ["zIndex", "auto", "must be a whole number"],
    ["colorScheme", "night", "must be auto, light or dark"],
    ["sound", "on", "must be true or false"],
    ["teaser", "no", "must be true or false"],
    ["locale", "Deutsch (Schweiz)", "must be a language tag such as pt-BR"],
    ["fallback", "help@shop.example", "must begin with mailto:, tel: or https://"],
    ["suggestions", "1\n2\n3\n4\n5", "must be at most four questions of 120 characters"],
    ["suggestions", JSON.stringify(["x".repeat(121)]), "must be at most four questions of 120 characters"],
    ["texts", "{", TEXTS],
    ["texts", '{"greeting":"Moin!"}', TEXTS],
    ["texts", '{"de":{"greting":"Moin!"}}', TEXTS],
    ["texts", '{"de":{"send":"Los"}}', TEXTS],
    ["texts", '{"de":{"greeting":7}}', TEXTS],
    ["texts", JSON.stringify({ de: { title: "x".repeat(301) } }), TEXTS],
  ])("%s: %s is reported with what is allowed", (what, text, reason) => {
    expect(faultsIn({ [what]: text }, () => true)).toEqual([{ what, reason }]);
  });

  it.each([
    ["color", "lamp yellow", "must be a CSS colour"],
    ["launcher", "#help:", "must be one valid selector"],
    ["container", ".chat[", "must be one valid selector"],
  ])("%s: %s, which the browser does not take, is reported", (what, text, reason) => {
    const isValid = (kind: string) => kind !== (what === "color" ? "color" : "selector");
    expect(faultsIn({ [what]: text }, isValid)).toEqual([{ what, reason }]);
  });

  it("is not reported while it is valid or empty", () => {
    const valid = {
      locale: "pt_BR",
      color: "red",
      colorScheme: "auto",
      position: "left",
      zIndex: "-1",
      launcher: "none",
      container: "#chat",
      title: "Lamps",
      greeting: "Hello",
      suggestions: `Where, and when?\n\n${"👍".repeat(120)}`,
      sound: "true",
      teaser: "false",
      texts: '{"de":{"greeting":"Moin!","title":""}}',
      label: "Ask Ada",
      fallback: "tel:+49301234",
      identityUrl: "/chat-token",
      traits: "{}",
      inline: "inline",
      identity: "2",
      refused: "",
      followed: "true",
    };
    expect(namesIn(valid)).toEqual([]);
    expect(namesIn(Object.fromEntries(Object.keys(valid).map((name) => [name, ""])))).toEqual([]);
  });

  it.each([
    ["colour", "color"],
    ["zindex", "zIndex"],
    ["color_scheme", "colorScheme"],
    ["postion", "position"],
    ["lable", "label"],
    ["suggestion", "suggestions"],
    ["identityURL", "identityUrl"],
  ])("%s is reported as a misspelt %s", (name, meant) => {
    expect(faultsIn({ [name]: "x" }, () => true)).toEqual([
      { what: name, reason: `is not a setting; ${meant} is` },
    ]);
  });

  it.each(["constructor", "toString", "__proto__"])("%s, which every object has, is no setting", (name) => {
    expect(namesIn(JSON.parse(`{"${name}": "x"}`))).toEqual([]);
  });

  it("another tool's attribute of the tag is not reported", () => {
    expect(namesIn({ nscript: "afterInteractive", cfasync: "false", cookieconsent: "chat" })).toEqual([]);
  });
});
