import { BAD, type HostileToken } from "./hostile-token.ts";
import type { TestSite } from "./site-keys.ts";

/** Header members that could make a careless verifier fetch or trust a key, and other kinds of token. */
export function headerTricks(site: TestSite): HostileToken[] {
  const own = site.keys.ed.publicKey.export({ format: "jwk" });
  const extras: Readonly<Record<string, unknown>> = {
    jwk: own,
    jku: "https://evil.example/keys.json",
    x5u: "https://evil.example/cert.pem",
    x5c: ["MIIB"],
    x5t: "AAAA",
    crit: ["exp"],
    b64: false,
    zip: "DEF",
    cty: "JWT",
    enc: "A256GCM",
    epk: own,
    url: "https://evil.example/",
    nonce: "n",
  };
  const types = ["at+jwt", "logout+jwt", "dpop+jwt", "parley-session+jwt", "JWE", 1, null, ["JWT"]];
  return [
    ...Object.entries(extras).map(
      ([name, value]) =>
        ({
          name: `header ${name}, signed by the right key`,
          token: site.token({ header: { [name]: value } }),
          code: BAD,
        }) as const,
    ),
    { name: "crit with b64", token: site.token({ header: { crit: ["b64"], b64: false } }), code: BAD },
    { name: "crit empty", token: site.token({ header: { crit: [] } }), code: BAD },
    ...types.map(
      (typ) =>
        ({ name: `typ ${JSON.stringify(typ)}`, token: site.token({ header: { typ } }), code: BAD }) as const,
    ),
  ];
}

/** Key ids that the site does not have. */
export function keyTricks(site: TestSite): HostileToken[] {
  const kids: readonly unknown[] = [
    undefined,
    null,
    "",
    " ",
    1,
    ["ed"],
    { ed: 1 },
    "ED",
    "ed ",
    "../../etc/passwd",
    "/dev/null",
    "' OR '1'='1",
    "__proto__",
    "constructor",
    "ed\u0000",
    "https://evil.example/keys.json",
    "| id",
    "x".repeat(5000),
  ];
  return kids.map((kid) => ({
    name: `kid ${JSON.stringify(kid)?.slice(0, 40) ?? "missing"}`,
    token: site.token({ header: { kid } }),
    code: "identity_unknown_kid",
  }));
}
