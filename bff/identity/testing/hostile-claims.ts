import type { FailureCode } from "../../../shared/errors.ts";
import { BAD, claimsText, type HostileToken, MISSING } from "./hostile-token.ts";
import { encode, signatureOf, type TestSite } from "./site-keys.ts";

/** Malformed claims, wrong audiences and times, signed by the right key. */
export function claimTricks(site: TestSite, now: number): HostileToken[] {
  const at = Math.floor(now / 1000);
  const given = (name: string, claims: Record<string, unknown>, code: FailureCode = MISSING) => ({
    name,
    token: site.token({ claims }),
    code,
  });
  const AUDIENCE = "identity_wrong_audience";
  return [
    ...["sub", "aud", "iat", "exp", "jti"].map((claim) => given(`${claim} missing`, { [claim]: undefined })),
    ...["sub", "aud", "iat", "exp", "jti"].map((claim) => given(`${claim} null`, { [claim]: null })),
    given("sub empty", { sub: "" }),
    given("sub a number", { sub: 42 }),
    given("sub a list", { sub: ["customer-42"] }),
    given("sub an object", { sub: { $ne: null } }),
    given("sub true", { sub: true }),
    given("sub of 256 characters", { sub: "x".repeat(256) }),
    given("sub with a NUL", { sub: "customer-42\u0000" }),
    given("sub with a line feed", { sub: "customer-42\nadmin" }),
    given("sub with white space around it", { sub: " customer-42 " }),
    given("sub with a no-break space before it", { sub: "\u00a0customer-42" }),
    given("sub of an anonymous visitor", { sub: "anon_AAAAAAAAAAAAAAAAAAAAAA" }),
    given("aud of another site", { aud: "other" }, AUDIENCE),
    given("aud in other letters", { aud: "Parley" }, AUDIENCE),
    given("aud as a prefix", { aud: "parley.evil" }, AUDIENCE),
    given("aud with a space", { aud: "parley " }, AUDIENCE),
    given("aud empty", { aud: "" }, AUDIENCE),
    given("aud an empty list", { aud: [] }, AUDIENCE),
    given("aud a list of others", { aud: ["other", "parley2"] }, AUDIENCE),
    given("aud a nested list", { aud: [["parley"]] }),
    given("aud an object", { aud: { parley: true } }),
    given("jti empty", { jti: "" }),
    given("jti a number", { jti: 1 }),
    given("jti with a space", { jti: "a b" }),
    given("jti of 256 characters", { jti: "x".repeat(256) }),
    given("exp a text", { exp: String(at + 300) }),
    given("exp a fraction", { exp: at + 300.5 }),
    given("exp negative", { exp: -1 }),
    given("exp 0", { exp: 0 }),
    given("exp in milliseconds", { exp: (at + 300) * 1000 }),
    given("exp true", { exp: true }),
    given("exp a list", { exp: [at + 300] }),
    given("exp before iat", { exp: at - 1 }),
    given("exp equal to iat", { exp: at }),
    given("life of 901 s", { exp: at + 901 }),
    given("life of a year", { exp: at + 31_536_000 }),
    given("iat a text", { iat: String(at) }),
    given("iat negative", { iat: -at }),
    given("iat in milliseconds", { iat: at * 1000, exp: at * 1000 + 300 }, "identity_clock_skew"),
    given("iat in the future", { iat: at + 120, exp: at + 300 }, "identity_clock_skew"),
    given("not before a later time", { nbf: at + 120 }, "identity_clock_skew"),
    given("expired", { iat: at - 400, exp: at - 100 }, "identity_expired"),
    given("long expired", { iat: 1, exp: 2 }, "identity_expired"),
    given("name a list", { name: ["Ann"] }),
    given("name of two lines", { name: "Ann\nadmin" }),
    given("name of 201 characters", { name: "x".repeat(201) }),
    given("email no address", { email: "not an address" }),
    given("email a list", { email: ["a@example.com"] }),
    given("email_verified a text", { email: "a@example.com", email_verified: "true" }),
    given("locale markup", { locale: '"><script>' }),
    given("traits a list", { traits: ["plan"] }),
    given("traits nested", { traits: { plan: { name: "pro" } } }),
    given("51 traits", { traits: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`t${n}`, n])) }),
    given("a trait of 257 characters", { traits: { plan: "x".repeat(257) } }),
    given("a trait named constructor", { traits: { constructor: "x" } }),
  ];
}

/** JSON that two parsers read differently, signed with the right key. */
export function jsonTricks(site: TestSite, now: number): HostileToken[] {
  const head = JSON.stringify({ alg: "EdDSA", kid: "ed" });
  const claims = claimsText(now);
  const at = Math.floor(now / 1000);
  const bad = (name: string, header: string) =>
    ({ name, token: signText(site, header, claims), code: BAD }) as const;
  const missing = (name: string, text: string) =>
    ({ name, token: signText(site, head, text), code: MISSING }) as const;
  return [
    bad("header alg twice", '{"alg":"none","kid":"ed","alg":"EdDSA"}'),
    bad("header kid twice", '{"alg":"EdDSA","kid":"hmac","kid":"ed"}'),
    bad("header kid twice, once escaped", '{"alg":"EdDSA","kid":"hmac","k\\u0069d":"ed"}'),
    bad("header with __proto__", '{"alg":"EdDSA","kid":"ed","__proto__":{"alg":"none"}}'),
    bad("header a list", '["EdDSA"]'),
    bad("header null", "null"),
    bad("header no JSON", "{alg:EdDSA}"),
    bad("header with a byte order mark", `\ufeff${head}`),
    bad("header followed by data", `${head}{}`),
    missing("sub twice", claims.replace("{", '{"sub":"victim",')),
    missing("sub twice, once escaped", claims.replace("{", '{"s\\u0075b":"victim",')),
    missing("exp twice", claims.replace("{", `{"exp":${at + 200},`)),
    missing("claims with __proto__", claims.replace("{", '{"__proto__":{"sub":"victim"},')),
    missing("exp 1e99", claims.replace(/"exp":\d+/, '"exp":1e99')),
    missing("exp beyond exact numbers", claims.replace(/"exp":\d+/, '"exp":9007199254740993')),
    missing("claims a list", `[${claims}]`),
    missing("claims a text", JSON.stringify(claims)),
    missing("claims null", "null"),
    missing("claims no JSON", "sub=customer-42"),
    missing("claims with a byte order mark", `\ufeff${claims}`),
    missing("claims nested 17 deep", claims.replace("{", `{"x":${"[".repeat(17)}${"]".repeat(17)},`)),
    missing("claims with a lone surrogate in sub", claims.replace("customer-42", "customer\\ud800")),
    {
      name: "claims in UTF-16",
      token: (() => {
        const signed = `${encode(head)}.${Buffer.from(claims, "utf16le").toString("base64url")}`;
        return `${signed}.${signatureOf(site.keys, "ed", signed)}`;
      })(),
      code: MISSING,
    },
  ];
}

/** Signs a header and claims, given as texts, with one of the site's own keys. */
function signText(
  site: TestSite,
  header: string,
  claims: string,
  kid: keyof TestSite["keys"] = "ed",
): string {
  const signed = `${encode(header)}.${encode(claims)}`;
  return `${signed}.${signatureOf(site.keys, kid, signed)}`;
}
