import { randomBytes, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { runInThisContext } from "node:vm";
import * as jose from "jose";
import { describe, expect, it } from "vitest";
import { FAILURES } from "../../shared/errors.ts";
import { createKey } from "../../tools/identity/create-key.ts";
import { openIdentityBench } from "../testing/identity-bench.ts";
import { createTestClock } from "../testing/test-clock.ts";

const DOCUMENT = readFileSync(new URL("../../docs/identity.md", import.meta.url), "utf8");

/** The block of code under a heading. */
function blockUnder(heading: string): string {
  const [, code] = DOCUMENT.split(`### ${heading}\n`)[1]?.match(/```\w+\n([\s\S]*?)```/) ?? [];
  if (!code) throw new Error(`no code under ${heading}`);
  return code;
}

type ChatToken = (customer: { id: number; name: string; plan: string }) => Promise<string>;

/** The document's module as a function: its imports come from here, and its key file is the given one. */
function runNode(code: string, keyFile: string): Promise<ChatToken> {
  const body = code.replace(/^import .*$/gm, "").replace("export function", "return function");
  const module = `(async (importJWK, SignJWT, readFileSync, crypto) => {${body}})`;
  const run = runInThisContext(module) as (...given: unknown[]) => Promise<ChatToken>;
  return run(jose.importJWK, jose.SignJWT, () => keyFile, { randomUUID });
}

describe("docs/identity.md", () => {
  it.each(["ES256", "EdDSA", "HS256"] as const)(
    "a token of its Node code is accepted once (%s)",
    async (algorithm) => {
      const { signing, verifying } = createKey(algorithm, "shop-1", randomBytes);
      // The document's code uses the machine's clock, so the bench starts at that time.
      const bench = openIdentityBench({
        env: { IDENTITY_KEYS: JSON.stringify({ keys: [verifying] }) },
        clock: createTestClock(Date.now()),
      });
      const chatToken = await runNode(blockUnder("Node: jose"), JSON.stringify(signing));
      const token = await chatToken({ id: 42, name: "Ann Lee", plan: "pro" });
      const answer = await bench.bff.post("/api/session", { token });
      expect(await answer.json()).toMatchObject({
        customer: { externalId: "42", displayName: "Ann Lee", identified: true },
      });
      expect(bench.service.calls("identify")[0]?.body).toMatchObject({ attributes: { plan: "pro" } });
      expect((await bench.bff.post("/api/session", { token })).status).toBe(401);
    },
  );

  it("has code for six languages, each with every required claim", () => {
    for (const language of [
      "Node: jose",
      "Python: PyJWT",
      "PHP: firebase/php-jwt",
      "Ruby: jwt",
      "Go: golang-jwt",
      "Java: Nimbus",
    ]) {
      const heading = DOCUMENT.match(new RegExp(`### (${language}.*)`))?.[1] ?? "";
      const code = blockUnder(heading);
      for (const claim of [/sub/i, /aud/i, /iat|issue/i, /exp/i, /jti|jwtid/i, /kid|keyid/i]) {
        expect(code, `${language} ${claim}`).toMatch(claim);
      }
    }
  });

  it("names every code of identity:failed, and no other", () => {
    const codes = Object.keys(FAILURES).flatMap(
      (code) => code.match(/^identity_(?!required)(.*)/)?.[1] ?? [],
    );
    const [, table = ""] = DOCUMENT.split("| `code` |");
    const named = [...(table.split("\n\n")[0] ?? "").matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code);
    expect(new Set(named)).toEqual(new Set(codes));
  });
});
