import { describe, expect, test } from "vitest";
import { maskSecrets } from "./mask-secrets.ts";

describe("secrets that customers paste are masked", () => {
  test.each([
    ["My card is 4111 1111 1111 1111, was it charged?", "My card is [card number], was it charged?"],
    ["5500-0000-0000-0004", "[card number]"],
    ["4111 1111 1111 1111 12/27 123", "[card number] 12/27 123"],
    ["order 5 4111 1111 1111 1111", "order 5 [card number]"],
    ["378282246310005.", "[card number]."],
    ["بطاقتي ٤١١١١١١١١١١١١١١١", "بطاقتي [card number]"],
    ["𝟜𝟙𝟙𝟙 𝟙𝟙𝟙𝟙 𝟙𝟙𝟙𝟙 𝟙𝟙𝟙𝟙", "[card number]"],
    ["𝟺𝟷𝟷𝟷𝟷𝟷𝟷𝟷𝟷𝟷𝟷𝟷𝟷𝟷𝟷𝟷", "[card number]"],
    ["IBAN DE89 3704 0044 0532 0130 00 please", "IBAN [IBAN] please"],
    ["gb82west12345698765432", "[IBAN]"],
    ["password: hunter2", "password: [password]"],
    ["My password is correct-horse. It fails.", "My password is [password]. It fails."],
    ["Mein Passwort lautet Geheim123!", "Mein Passwort lautet [password]!"],
    ["mot de passe : azerty", "mot de passe : [password]"],
    ["пароль: qwerty1", "пароль: [password]"],
    ["密码：abc123", "密码：[password]"],
    ["CVV=123", "CVV=[password]"],
    ["cvc 123", "cvc [password]"],
    ["my PIN 4711 please", "my PIN [password] please"],
    ["4111  1111  1111  1111", "[card number]"],
    ["DE89  3704  0044  0532  0130  00", "[IBAN]"],
    ["my  password  is  hunter2", "my  password  is  [password]"],
    ["password: 4111 1111 1111 1111", "password: [card number]"],
    ["-----BEGIN PGP PRIVATE KEY BLOCK-----\nlQOY\n-----END PGP PRIVATE KEY BLOCK----- ok", "[key] ok"],
    ["my password is 4111 1111 1111 1111", "my password is [card number]"],
    ["password: not-easy", "password: [password]"],
    ["api_key = 12345678abcdef", "api_key = [key]"],
    ["sk-proj-abcdefghijklmnopqrstuvwx0123", "[key]"],
    ["sk_live_abcdefghijklmnop1234", "[key]"],
    ["ghp_abcdefghijklmnopqrstuvwxyz0123456789", "[key]"],
    ["AKIAIOSFODNN7EXAMPLE", "[key]"],
    ["Authorization: Bearer abcdef0123456789abcdef", "Authorization: [key]"],
    ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U", "[key]"],
    ["see-eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0 ok", "see-[key] ok"],
    ["eyJhbGciOiJIUzI1NiJ9.short", "eyJhbGciOiJIUzI1NiJ9.short"],
    ["-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY----- ok", "[key] ok"],
    ["-----BEGIN A PRIVATE KEY B PRIVATE KEY-----\nMIIEvQ\n-----END 2 PRIVATE KEY----- ok", "[key] ok"],
    ["-----BEGIN RSA PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY 2-----", "[key]"],
    ["-----BEGIN PUBLIC KEY-----\nMIIBIj", "-----BEGIN PUBLIC KEY-----\nMIIBIj"],
  ])("%s", (text, masked) => {
    expect(maskSecrets(text)).toBe(masked);
  });
});

test.each([
  "How do I reset my password?",
  "my password is not working",
  "The password is wrong.",
  "Mein Passwort ist falsch.",
  "Mon mot de passe est incorrect.",
  "My pin 12 is bent",
  "My order 4111111111111112 has not arrived.",
  "The tracking number is 1234 5678 9012 3456 7890.",
  "Is my password safe with you?",
  "Where do I find the token?",
  "Call me at +49 30 901820.",
  "I forgot my PIN",
])("an ordinary sentence stays as it is: %s", (text) => {
  expect(maskSecrets(text)).toBe(text);
});

test("a text full of beginnings of a token takes no time that grows with their square", () => {
  const text = "eyJ-".repeat(200_000);
  expect(maskSecrets(text)).toBe(text);
});

test("a text full of beginnings of a private key takes no time that grows with their square", () => {
  const text = `-----BEGIN ${"PRIVATE KEY ".repeat(50_000)}`;
  expect(maskSecrets(text)).toBe(text);
});
