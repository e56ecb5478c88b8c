// @vitest-environment node
import { describe, expect, it } from "vitest";
import { startSession } from "../../shared/api/session.ts";
import { readTraits, refusedTraits } from "./page-traits.ts";

const deep = JSON.stringify({ a: [[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]] });

describe("what the page says about its visitor", () => {
  it("is accepted if the BFF would accept it", () => {
    const traits = { plan: "pro", seats: 3, ratio: 0.5, trial: true, since: null, "a.b-c_d": "ü😀" };
    expect(readTraits(JSON.stringify(traits))).toEqual(traits);
  });

  it.each<[string, string]>([
    ["nested", '{"plan":"pro","a":{"b":1}}'],
    ["a list", '{"plan":"pro","a":[1]}'],
    ["an empty list", '{"plan":"pro","a":[]}'],
    ["a reserved name", '{"plan":"pro","constructor":1,"prototype":2}'],
    ["__proto__", '{"plan":"pro","__proto__":1}'],
    ["a name with a space", '{"plan":"pro","a b":1}'],
    ["a name of 65 characters", `{"plan":"pro","${"a".repeat(65)}":1}`],
    ["a long text", `{"plan":"pro","a":"${"x".repeat(257)}"}`],
    ["a control character", '{"plan":"pro","a":"\\u0000"}'],
    ["half of a pair", '{"plan":"pro","a":"\\ud800"}'],
    ["a number that loses its value", '{"plan":"pro","a":9007199254740993}'],
    ["a number without end", '{"plan":"pro","a":1e999}'],
  ])("%s is left out, and the rest stays", (_name, text) => {
    expect(readTraits(text)).toEqual({ plan: "pro" });
    expect(refusedTraits(text)).toHaveLength(Object.keys(JSON.parse(text)).length - 1);
  });

  it("names what is left out, and nothing else", () => {
    const text = '{"plan":"pro","full name":"Ada","größe":1,"2nd":true}';
    expect(refusedTraits(text)).toEqual(["full name", "größe", "2nd"]);
  });

  it.each(["undefined", "null", "7", '"text"', "[", '{"a":', deep])("%s gives no traits", (text) => {
    expect(readTraits(text)).toEqual({});
  });

  it("never makes a session's start fail", () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`t${index}`, index]));
    const traits = readTraits(JSON.stringify(many));
    expect(Object.keys(traits)).toHaveLength(50);
    expect(startSession.request.safeParse({ traits }).success).toBe(true);
  });
});
