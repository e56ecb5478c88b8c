import { describe, expect, it } from "vitest";
import { createManualClock } from "../testing/manual-clock.ts";
import { createAttemptLimit } from "./attempt-limit.ts";
import { createPasswordHasher, SCRYPT_COST } from "./password.ts";
import { weaknessOf } from "./weak-password.ts";

const cheap = { N: 2, r: 1, p: 1 };

describe("password hashes", () => {
  it("contain their own cost and salt, so equal passwords differ and the cost can change later", async () => {
    const hasher = createPasswordHasher(cheap);
    const [one, other] = await Promise.all([hasher.hash("a b c"), hasher.hash("a b c")]);
    expect(one).toMatch(/^scrypt\$2\$1\$1\$[\w-]{22}\$[\w-]{43}$/);
    expect(one).not.toBe(other);
    expect(await createPasswordHasher({ N: 4, r: 1, p: 1 }).verify("a b c", one)).toBe(true);
  });

  it("the configured cost is OWASP's, and works", async () => {
    expect(SCRYPT_COST).toEqual({ N: 131072, r: 8, p: 1 });
    const hasher = createPasswordHasher();
    const hash = await hasher.hash("four unrelated lamp words");
    expect(await hasher.verify("four unrelated lamp words", hash)).toBe(true);
    expect(await hasher.verify("four unrelated lamp wordS", hash)).toBe(false);
  });

  it("a missing account's hash matches no password", async () => {
    const hasher = createPasswordHasher(cheap);
    for (const password of ["", "undefined", "nobody"])
      expect(await hasher.verify(password, undefined)).toBe(false);
  });

  it("the same characters typed on another system open the same account", async () => {
    const hasher = createPasswordHasher(cheap);
    expect(await hasher.verify("cafe\u0301", await hasher.hash("caf\u00e9"))).toBe(true);
  });

  it("a queue that is too long asks callers to wait, and drains afterwards", async () => {
    const hasher = createPasswordHasher(cheap);
    const all = await Promise.allSettled(Array.from({ length: 40 }, () => hasher.verify("x", undefined)));
    expect(all.filter((one) => one.status === "fulfilled")).toHaveLength(22);
    expect(await hasher.verify("x", undefined)).toBe(false);
  });

  it("a hash of an unknown form is an error, never a match", async () => {
    const hasher = createPasswordHasher(cheap);
    for (const hash of ["", "x", "scrypt$0$1$1$$", "md5$2$1$1$YQ$YQ"]) {
      await expect(hasher.verify("x", hash)).rejects.toThrow();
    }
  });
});

describe("weak passwords", () => {
  const known = ["ada.lovelace@harbourandpine.example", "Ada Lovelace", "demo"];

  it.each([
    "short",
    "elevenchars",
    "password1234",
    "Password1234!",
    "p@ssw0rd12345",
    "1234password1234",
    "letmeinletmein",
    "qwertyuiop123",
    "qwertyuiopas",
    "123456789012",
    "2026-03-01 09:00",
    "aaaaaaaaaaaaaa",
    "abababababab",
    "abcdefghijklm",
    "harbourandpine",
    "Harbour&Pine2026",
    "parleyparley1",
    "adalovelace1815",
    "Ada.Lovelace!!",
    "ada.lovelace@harbourandpine.example",
    "correct horse battery staple",
    "welcome123456",
    "trustno1trustno1",
    "Summer2024!!",
  ])("%s is refused", async (password) => {
    expect(await weaknessOf(password, known)).toMatch(/\.$/);
  });

  it.each([
    "four unrelated lamp words",
    "tuesday-lamp-42-violin",
    "Kx9#mQ2$vL7@",
    "ein schönes langes Kennwort",
    "почему бы и нет 7",
    "demolition of a wall",
  ])("%s may be used", async (password) => {
    expect(await weaknessOf(password, known)).toBeUndefined();
  });
});

describe("attempts", () => {
  it("are counted per key, and each counts until the window is over", () => {
    const clock = createManualClock();
    const limit = createAttemptLimit({ clock, attempts: 2, windowMs: 1000 });
    limit.take("a");
    clock.advance(500);
    limit.take("a");
    expect(() => limit.take("a")).toThrow(expect.objectContaining({ code: "rate_limited", retryAfter: 1 }));
    limit.take("b");
    clock.advance(500);
    limit.take("a");
    expect(() => limit.take("a")).toThrow(expect.objectContaining({ code: "rate_limited" }));
  });
});
