import { describe, expect, it } from "vitest";
import { createTestClock } from "../testing/test-clock.ts";
import { COOLDOWN_MS, KeySetFault, MAX_AGE_MS, openKeyRing, REFRESH_MS } from "./key-ring.ts";
import { createTestSite } from "./testing/site-keys.ts";

const URL = "https://shop.example/keys.json";

/** A ring over an address whose answer a test changes. */
async function openRing(first?: () => Promise<string>) {
  const clock = createTestClock();
  const site = createTestSite(() => clock.now());
  const set = JSON.parse(site.keySet) as { keys: { kid: string; kty: string }[] };
  const published = (...kids: string[]) =>
    JSON.stringify({ keys: set.keys.filter(({ kid }) => kids.includes(kid)) });
  const address = { answer: first ?? (() => Promise.resolve(published("ec"))), reads: 0 };
  const lines: string[] = [];
  const log = {
    debug: () => undefined,
    info: () => undefined,
    warn: () => undefined,
    error: (fields: object) => void lines.push(JSON.stringify(fields)),
  };
  const ring = await openKeyRing({
    url: URL,
    fetchKeys: () => {
      address.reads += 1;
      return address.answer();
    },
    clock,
    log,
  });
  const has = async (kid: string) => {
    const found = await ring.find(kid);
    return typeof found === "string" ? found : found.kid;
  };
  return { ring, clock, address, published, has, lines };
}
const down = () => Promise.reject(Object.assign(new Error("down"), { code: "ECONNREFUSED" }));

describe("keys behind an address", () => {
  it("are read at start, and again every few minutes", async () => {
    const { address, clock, published, has } = await openRing();
    expect(await has("ec")).toBe("ec");
    address.answer = () => Promise.resolve(published("ec", "ed"));
    await clock.advance(REFRESH_MS);
    expect(await has("ed")).toBe("ed");
    expect(address.reads).toBe(2);
  });

  it("a key that was just added is found at once; an id that nobody has is asked for once in a while", async () => {
    const { address, clock, published, has } = await openRing();
    await clock.advance(COOLDOWN_MS);
    address.answer = () => Promise.resolve(published("ec", "ed"));
    expect(await has("ed")).toBe("ed");
    const { reads } = address;
    for (let n = 0; n < 100; n += 1) expect(await has(`made-up-${n}`)).toBe("unknown");
    expect(address.reads).toBe(reads);
  });

  it("a key that left is told of, and its sessions live no more", async () => {
    const { ring, address, clock, published } = await openRing();
    let told = 0;
    ring.onRemoved(() => {
      told += 1;
    });
    expect(ring.isLive("ec")).toBe(true);
    address.answer = () => Promise.resolve(published("ed"));
    await clock.advance(REFRESH_MS);
    expect([told, ring.isLive("ec"), ring.isLive("ed")]).toEqual([1, false, true]);
  });

  it("are kept while the address is down, for an hour; then tokens are unavailable and nobody is thrown out", async () => {
    const { ring, address, clock, has, lines } = await openRing();
    address.answer = down;
    await clock.advance(MAX_AGE_MS - 1);
    expect(await has("ec")).toBe("ec");
    await clock.advance(1);
    expect(await has("ec")).toBe("unavailable");
    expect(await has("made-up")).toBe("unavailable");
    expect(ring.isLive("ec")).toBe(true);
    expect(lines.at(-1)).toContain("ECONNREFUSED");
  });

  it("an address that is down at start is asked again", async () => {
    const { address, clock, published, has } = await openRing(down);
    expect(await has("ec")).toBe("unavailable");
    address.answer = () => Promise.resolve(published("ec"));
    await clock.advance(COOLDOWN_MS);
    expect(await has("ec")).toBe("ec");
  });

  it.each<[string, () => Promise<string>, string]>([
    ["answers something else", () => Promise.resolve("<html>"), "JSON Web Key Set"],
    [
      "answers 302",
      () => Promise.reject(new KeySetFault(["answers 302; it must answer 200 itself."])),
      "302",
    ],
    ["publishes a secret", () => Promise.resolve('{"keys":[{"kty":"oct","kid":"a","k":"abc"}]}'), "address"],
  ])("an address that %s stops the start", async (_name, answer, sentence) => {
    await expect(openRing(answer)).rejects.toThrow(sentence);
  });

  it("what breaks later never replaces good keys", async () => {
    const { address, clock, has, lines } = await openRing();
    address.answer = () => Promise.resolve('{"keys":[]}');
    await clock.advance(REFRESH_MS);
    expect(await has("ec")).toBe("ec");
    expect(lines.at(-1)).toContain("holds no key");
  });
});
