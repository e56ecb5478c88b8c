import { createHmac } from "node:crypto";
import { SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import type { FailureCode } from "../../shared/errors.ts";
import { systemRandom } from "../../shared/server/random.ts";
import { createManualClock } from "../testing/manual-clock.ts";
import { createSessionTokens, SESSION_SECONDS } from "./session-token.ts";

const KEY = new TextEncoder().encode("a key for tests, of thirty-two bytes or more");
const CUSTOMER = { workspaceId: "ws_1", id: "cus_1", externalId: "ann" };

function openTokens(key = KEY) {
  const clock = createManualClock();
  return { clock, tokens: createSessionTokens({ key, clock, random: systemRandom }) };
}

async function refusal(verified: Promise<unknown>): Promise<FailureCode | "accepted"> {
  return verified.then(
    () => "accepted" as const,
    (error: { code: FailureCode }) => error.code,
  );
}

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A valid token in which a test changes one thing. Signed by hand, because jose would refuse the change. */
function forge(
  now: number,
  change: { header?: object; claims?: object; key?: Uint8Array | string } = {},
): string {
  const header = base64({ alg: "HS256", typ: "parley-session+jwt", ...change.header });
  const claims = base64({
    iss: "parley",
    aud: "parley-v1",
    sub: "cus_1",
    workspaceId: "ws_1",
    externalId: "ann",
    sid: "sess_1",
    iat: now,
    exp: now + 900,
    ...change.claims,
  });
  const signature = createHmac("sha256", change.key ?? KEY)
    .update(`${header}.${claims}`)
    .digest("base64url");
  return `${header}.${claims}.${signature}`;
}

describe("a session token", () => {
  test("authenticates its customer in its workspace until it expires", async () => {
    const { clock, tokens } = openTokens();
    const { token, expiresIn } = await tokens.issue(CUSTOMER);
    expect(expiresIn).toBe(SESSION_SECONDS);
    expect(await tokens.verify(token)).toMatchObject({
      workspaceId: "ws_1",
      customerId: "cus_1",
      externalId: "ann",
    });
    clock.advance((SESSION_SECONDS - 1) * 1000);
    expect(await tokens.verify(token)).toMatchObject({ customerId: "cus_1" });
  });

  test("the forged token of these tests is accepted when nothing is changed (control)", async () => {
    const { clock, tokens } = openTokens();
    expect(await refusal(tokens.verify(forge(clock.now() / 1000)))).toBe("accepted");
  });
});

describe("session tokens are refused", () => {
  test("a token expires even if it was verified before", async () => {
    const { clock, tokens } = openTokens();
    const { token } = await tokens.issue(CUSTOMER);
    await tokens.verify(token);
    clock.advance(SESSION_SECONDS * 1000);
    expect(await refusal(tokens.verify(token))).toBe("session_expired");
  });

  test.each<[string, { header?: object; claims?: object; key?: string }]>([
    ["alg none", { header: { alg: "none" } }],
    ["another algorithm", { header: { alg: "HS512" } }],
    ["another kind of token", { header: { typ: "JWT" } }],
    ["a critical header", { header: { crit: ["x"], x: 1 } }],
    ["another key", { key: "another key for tests, of thirty-two bytes" }],
    ["another audience", { claims: { aud: "parley" } }],
    ["another issuer", { claims: { iss: "someone" } }],
    ["no subject", { claims: { sub: undefined } }],
    ["no workspace", { claims: { workspaceId: undefined } }],
    ["a workspace that is no string", { claims: { workspaceId: { $gt: "" } } }],
    ["no expiry", { claims: { exp: undefined } }],
    ["an expiry that is a string", { claims: { exp: "9999999999" } }],
    ["not yet valid", { claims: { nbf: 9_999_999_999 } }],
  ])("%s is refused", async (_name, change) => {
    const { clock, tokens } = openTokens();
    expect(await refusal(tokens.verify(forge(clock.now() / 1000, change)))).toBe("unauthenticated");
  });

  test("a token without a signature, with a cut one, with extra segments or with padding is refused", async () => {
    const { clock, tokens } = openTokens();
    const good = forge(clock.now() / 1000);
    const [header, claims, signature = ""] = good.split(".");
    const bad = [
      "",
      "abc",
      `${header}.${claims}`,
      `${header}.${claims}.`,
      `${header}.${claims}.${signature.slice(0, -4)}`,
      `${good}.${signature}`,
      `${good}=`,
      // The same 32 bytes with another last character, two bits of which are unused.
      good.slice(0, -1) + String.fromCharCode(good.charCodeAt(good.length - 1) + 1),
      ` ${good}`,
      `${base64({ alg: "none" })}.${claims}.`,
    ];
    for (const token of bad) expect(await refusal(tokens.verify(token)), token).toBe("unauthenticated");
  });

  test("a token signed with another service's key is refused", async () => {
    const mine = openTokens();
    const theirs = openTokens(new TextEncoder().encode("the key of another service, long enough too"));
    const { token } = await theirs.tokens.issue(CUSTOMER);
    expect(await refusal(mine.tokens.verify(token))).toBe("unauthenticated");
  });

  test("a token that jose signed with our key for another purpose is refused", async () => {
    const { clock, tokens } = openTokens();
    const token = await new SignJWT({ workspaceId: "ws_1", externalId: "ann", sid: "s" })
      .setProtectedHeader({ alg: "HS256" })
      .setSubject("cus_1")
      .setAudience("parley-v1")
      .setIssuer("parley")
      .setIssuedAt(clock.now() / 1000)
      .setExpirationTime(clock.now() / 1000 + 60)
      .sign(KEY);
    expect(await refusal(tokens.verify(token))).toBe("unauthenticated");
  });
});
