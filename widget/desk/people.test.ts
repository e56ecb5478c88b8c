import { describe, expect, it } from "vitest";
import { customerName, customerTitle } from "./people.ts";

const visitor = { externalId: "anon_1", identified: false };
const known = { externalId: "customer-7", identified: true };

describe("the customer's name at the desk", () => {
  it("DESK13 a nameless visitor is told by language and conversation, and by nothing that is not known", () => {
    expect(customerTitle(visitor)).toBe("Visitor");
    expect(customerTitle({ ...visitor, locale: "de-AT", visit: 3 })).toBe(
      "Visitor, German, 3rd conversation",
    );
    const startedFrom = { page: "/pricing", browser: "Chrome" };
    expect(customerTitle({ ...visitor, locale: "de", visit: 3, startedFrom })).toBe(
      "Visitor from /pricing, German, Chrome, 3rd conversation",
    );
    expect(customerTitle({ ...visitor, startedFrom: { page: "/" } })).toBe("Visitor");
    expect(customerTitle({ ...visitor, displayName: "Ann", startedFrom })).toBe("Ann");
    expect(customerTitle({ ...visitor, locale: "x y" })).toBe("Visitor");
    expect(customerTitle({ ...visitor, locale: "zzz" })).toBe("Visitor");
    expect(customerName({ ...visitor, locale: "de", visit: 3 })).toBe("Visitor");
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
    expect(customerTitle({ ...visitor, visit })).toBe(`Visitor, ${text} conversation`);
  });

  it("DESK14 the site's name comes before the team's, and the team's before what a visitor said", () => {
    const team = { name: "Ann from Bern" };
    expect(customerTitle({ ...known, displayName: "Ann Wyss", team })).toBe("Ann Wyss");
    expect(customerTitle({ ...known, team })).toBe("Ann from Bern");
    expect(customerTitle(known)).toBe("customer-7");
    expect(customerTitle({ ...visitor, displayName: "The CEO", team, visit: 3 })).toBe("Ann from Bern");
  });
});
