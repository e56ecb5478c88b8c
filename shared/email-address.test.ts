import { describe, expect, it } from "vitest";
import { EMAIL_ADDRESS } from "./email-address.ts";

const long = (count: number) => "a".repeat(count);

describe("CONTACT2 an e-mail address", () => {
  it.each([
    "ann@shop.example",
    "Ann.O'Neil+lamp@mail.shop.example",
    "a?b=c&d@x.co",
    `${long(64)}@shop.example`,
    `a@${long(63)}.example`,
    "ann@xn--bcher-kva.example",
  ])("%s is one", (address) => {
    expect(EMAIL_ADDRESS.test(address)).toBe(true);
  });

  it.each([
    ["", "empty"],
    ["ann", "no at"],
    ["ann@shop", "no dot in the domain"],
    ["@shop.example", "nobody"],
    ["ann@shop.example\n", "a line feed at the end"],
    ["ann@shop.example\r\nBcc: bob@shop.example", "a second header"],
    ["ann@shop.example\u2028", "a line separator"],
    ["ann@shop.example,bob@shop.example", "two addresses"],
    ["ann@shop.example;bob@shop.example", "two addresses"],
    ["Ann <ann@shop.example>", "a name"],
    ['"ann lee"@shop.example', "quotes"],
    ["ann @shop.example", "a space"],
    ["ann@@shop.example", "two at"],
    ["ann@-shop.example", "a hyphen first"],
    ["ann@shop..example", "an empty label"],
    ["ann@[127.0.0.1]", "an address of a machine"],
    ["ann@shop.example\0", "a zero"],
    ["ànn@shop.example", "a letter that no header takes"],
    [`${long(65)}@shop.example`, "too long before the at"],
    [`a@${long(64)}.example`, "a label that is too long"],
    [`a@${`${long(60)}.`.repeat(5)}example`, "too long as a whole"],
  ])("%j is none: %s", (text) => {
    expect(EMAIL_ADDRESS.test(text)).toBe(false);
  });
});
