import { describe, expect, it } from "vitest";
import { customerName, customerTitle } from "./people.ts";
import { visitorSign } from "./visitor-sign.ts";

const visitor = { externalId: "anon_1", identified: false };
const called = `Visitor ${visitorSign("anon_1").mark}`;
const known = { externalId: "customer-7", identified: true };

describe("the customer's name at the desk", () => {
  it("DESK13 a nameless visitor is distinguished by language and conversation, and by nothing unknown", () => {
    expect(customerTitle(visitor)).toBe(called);
    expect(customerTitle({ ...visitor, locale: "de-AT", visit: 3 })).toBe(
      `${called}, German, 3rd conversation`,
    );
    const startedFrom = { page: "/pricing", browser: "Chrome" };
    expect(customerTitle({ ...visitor, locale: "de", visit: 3, startedFrom })).toBe(
      `${called} from /pricing, German, Chrome, 3rd conversation`,
    );
    expect(customerTitle({ ...visitor, startedFrom: { page: "/" } })).toBe(called);
    expect(customerTitle({ ...visitor, displayName: "Ann", startedFrom })).toBe("Ann");
    expect(customerTitle({ ...visitor, locale: "x y" })).toBe(called);
    expect(customerTitle({ ...visitor, locale: "zzz" })).toBe(called);
    expect(customerName(visitor)).toBe(called);
  });

  it.each([
    [2, "2nd"],
    [11, "11th"],
    [12, "12th"],
    [13, "13th"],
    [21, "21st"],
    [22, "22nd"],
    [100, "100th"],
  ])("conversation %i is the %s", (visit, text) => {
    expect(customerTitle({ ...visitor, visit })).toBe(`${called}, ${text} conversation`);
  });

  it("DESK14 the site's name comes before the team's, and the team's before what a visitor said", () => {
    const team = { name: "Ann from Bern" };
    expect(customerTitle({ ...known, displayName: "Ann Wyss", team })).toBe("Ann Wyss");
    expect(customerTitle({ ...known, team })).toBe("Ann from Bern");
    expect(customerTitle(known)).toBe("customer-7");
    expect(customerTitle({ ...visitor, displayName: "The CEO", team, visit: 3 })).toBe("Ann from Bern");
  });
});
