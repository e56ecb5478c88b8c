import { describe, expect, test } from "vitest";
import { createAddressesGuard } from "./addresses-guard.ts";

function shownOf(pieces: readonly string[], ...sources: readonly string[]): string {
  const guard = createAddressesGuard();
  for (const source of sources) guard.allow(source);
  return pieces.map((piece) => guard.add(piece)).join("") + guard.end();
}

const FOREIGN: readonly (readonly [string, string])[] = [
  ["See https://evil.example/a?q=1.", "See […]."],
  ["See [our page](https://evil.example/a) now", "See our page now"],
  ["![a chart](https://evil.example/p.png?d=canary)", "a chart"],
  ["[https://shop.example](https://evil.example)", "[…]"],
  ["<https://evil.example>", "<[…]>"],
  ["www.evil.example/x", "[…]"],
  // The panel links it: Chinese has no space before an address. `photos` is not in the list of top-level domains, so only
  // `www.` shows that it is one.
  ["详情见www.evil.photos/x", "详情见[…]"],
  ["™www.evil.photos/x", "™[…]"],
  ["Go to evil.example or evil.com/login", "Go to […] or […]"],
  ["Write to a.b+c@evil.example, please", "Write to […], please"],
  ["[mail](mailto:a@evil.example)", "mail"],
  ["[call](tel:+4930123456) or +49 30 1234567", "call or […]"],
  ["Call 0049 30 1234567.", "Call […]."],
  ["Call +49 30 1234567!", "Call […]!"],
  ["Call us (0049 30 1234567)", "Call us ([…])"],
  ["Call us (+49 30 1234567)", "Call us ([…])"],
  ["Tel.:+49 30 1234567 or **+49 30 7654321**", "Tel.:[…] or **[…]**"],
  ["Call +49\u202f30\u202f1234567 now", "Call […] now"],
  ["Call ＋49 30 1234567 now", "Call […] now"],
  ["Call +49\u200b 30 1234567 now", "Call […] now"],
  ["[call](+49 30 1234567)", "[call]([…])"],
  ["[x](javascript:alert(1))", "x"],
  ["data:text/html;base64,PHNjcmlwdD4=", "[…]"],
  ["//evil.example/x", "[…]"],
  ["http:/evil.example", "[…]"],
  ["10.0.0.1:8080/x", "[…]"],
  ["https://xn--80ak6aa92e.com/", "[…]"],
  ["https://аpple.com/", "[…]"],
  ["evil\u200b.exa\u200bmple", "[…]"],
  ["evil。example", "[…]"],
  ["https:\u2044\u2044evil.example", "[…]"],
  ["[a][1]\n\n[1]: https://evil.example", "[a][1]\n\n[1]: […]"],
  ["[ ![x](y) ](https://evil.example)", "[ x ]([…])"],
  ["`https://evil.example`", "`[…]`"],
];

describe("an address is shown only if a source of the answer has it", () => {
  test.each(FOREIGN)("%j becomes %j", (text, shown) => {
    expect(shownOf([text])).toBe(shown);
    expect(shownOf(text.split(""))).toBe(shown);
  });

  test.each([
    ["Open [Returns](https://shop.example/returns).", "https://shop.example/returns"],
    ["See https://shop.example/returns.", "Our form: https://shop.example/returns"],
    ["Write to help@shop.example.", "help@shop.example answers."],
    ["Call +49 30 1234567.", "tel +49 (30) 1234567"],
    ["On shop.example you find more", "https://shop.example/returns"],
  ])("%j is kept beside %j", (text, source) => {
    expect(shownOf([text], source)).toBe(text);
    expect(shownOf(text.split(""), source)).toBe(text);
  });

  test.each([
    "Orders of more than 3.5 kg, e.g. tables, take 2–3 days (No. 5).",
    "Version 1.2.3, a file.md, 20.04.2026, 12:30, and/or: yes.",
    "Choose *Return*, then [1] or [x] as you like.",
    "订单通常在两天内发货。请稍候。",
    "Order 4711-22, € 20.50.",
    "It costs 10.000 - 20.000 EUR or 100 000 - 200 000 kr.",
  ])("%j has no address", (text) => {
    expect(shownOf([text])).toBe(text);
    expect(shownOf(text.split(""))).toBe(text);
  });

  test("an address with another path, or with something added, is another one", () => {
    const source = "https://shop.example/a";
    expect(shownOf(["https://shop.example/a?leak=canary"], source)).toBe("[…]");
    expect(shownOf(["https://shop.example.evil.example/a"], source)).toBe("[…]");
    expect(shownOf(["https://shop.example@evil.example/a"], source)).toBe("[…]");
    expect(shownOf(["https://shop.example/a'.evil.example"], source)).toBe("[…]");
    expect(shownOf(["https://shop.example'.evil.example/a"], "https://shop.example")).toBe("[…]");
  });

  test.each(["注文を処理", "x", "a-a.", "a-"])("an endless word of %j is searched in linear time", (part) => {
    const text = part.repeat(Math.ceil(100_000 / part.length));
    expect(createAddressesGuard().accepts(text)).toBe(true);
  });
});
