import { describe, expect, it } from "vitest";
import { withoutSecrets } from "./safe-traits.ts";

const JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl";

describe("traits", () => {
  it.each([
    "password",
    "Password",
    "userPassword",
    "user_password",
    "passwd",
    "token",
    "apiToken",
    "api_token",
    "access-token",
    "secret",
    "clientSecret",
    "authorization",
    "Authorization",
    "cookie",
    "sessionCookie",
    "card",
    "cardNumber",
    "credit_card",
    "cvv",
    "iban",
    "apiKey",
    "api_key",
    "ssn",
    "accesstoken",
    "userpassword",
    "credentials",
    "jwt",
    "passphrase",
  ])("named %s are left out, whatever their value", (name) => {
    expect(withoutSecrets({ [name]: "x" })).toEqual({ traits: {}, dropped: [name] });
    expect(withoutSecrets({ [name]: 1 }).dropped).toEqual([name]);
  });

  it.each([
    ["a JWT", JWT],
    ["a JWT in a text", `my session is ${JWT}, thanks`],
    ["a PEM block", "-----BEGIN RSA PRIVATE KEY-----\nMIIE"],
    ["a PEM block of EC", "-----BEGIN EC PRIVATE KEY-----"],
    ["a key of ours", "sk_live_abcdefgh12345"],
    ["a key in a text", "key: sk-proj-abcdefgh12345"],
    ["a restricted key", "rk_test_abcdefgh12345"],
    ["a token of a code host", "ghp_abcdefghijklmnop"],
    ["a token of a chat", "xoxb-1234-abcd"],
    ...["glpat-", "whsec_", "npm_", "hf_", "shpat_", "ghu_", "ghs_", "ghr_"].map(
      (start): [string, string] => [`a key that begins with ${start}`, `${start}abcdefghijklmnop`],
    ),
    ["a temporary cloud key", "ASIAIOSFODNN7EXAMPLE"],
    ["a key of a map", `AIza${"a".repeat(35)}`],
    ["a card number behind a letter", "card4111111111111111"],
    ["a short key", "sk_live_abcd1234"],
    ["a certificate", "-----BEGIN CERTIFICATE-----"],
    ["an IBAN", "DE89 3704 0044 0532 0130 00"],
    ["an IBAN in a text", "pay to GB82WEST12345698765432 please"],
    ["a card number in the digits of another script", "٤١١١١١١١١١١١١١١١"],
    ["a cloud key", "AKIAIOSFODNN7EXAMPLE"],
    ["a header", "Bearer abcdefgh12345"],
    ["basic credentials", "Basic dXNlcjpwYXNz"],
    ["basic credentials in a text", "authorization: basic YWRtaW46aHVudGVyMg== is ours"],
    ["a card number", "4111111111111111"],
    ["a card number with spaces", "4111 1111 1111 1111"],
    ["a card number with dashes", "5500-0055-5555-5559"],
    ["a card number in a text", "please charge 378282246310005 today"],
    ["a card number as a number", 4111111111111111],
  ])("with %s are left out", (_name, value) => {
    expect(withoutSecrets({ note: value }).dropped).toEqual(["note"]);
  });

  it.each([
    ["plan", "enterprise"],
    ["plan", "Basic Subscription"],
    ["product", "basic membership-2026"],
    ["tokenring", "blue"],
    ["discard", "yes"],
    ["cardinality", 3],
    ["secretary", "Ann"],
    ["passport office", "Bonn"],
    ["since", 1_732_190_000_000],
    ["phone", "+49 170 1234567"],
    ["order", "1234567890123456"],
    ["version", "1.22.333"],
    ["note", "the key is under the mat"],
    ["page", "https://eyeglasses.shop.example/frames"],
    ["account", "DE89370400440532013001"],
    ["trial", true],
    ["left", null],
  ])("%s = %s are kept", (name, value) => {
    expect(withoutSecrets({ [name]: value })).toEqual({ traits: { [name]: value }, dropped: [] });
  });
});
