import { BAD, type HostileToken } from "./hostile-token.ts";
import { encode, type TestSite } from "./site-keys.ts";

/** Variants of a valid token, parts of one, and texts that are not tokens. */
export function spellingTricks(site: TestSite): HostileToken[] {
  const good = site.token();
  const [head = "", payload = "", signature = ""] = good.split(".");
  const bad = (name: string, token: string) => ({ name, token, code: BAD }) as const;
  return [
    bad("empty", ""),
    bad("one segment", head),
    bad("two segments", `${head}.${payload}`),
    bad("two segments and a dot", `${head}.${payload}.`),
    bad("four segments", `${good}.${signature}`),
    bad("five segments, as a JWE has", `${head}..${payload}.${signature}.${signature}`),
    bad("detached payload", `${head}..${signature}`),
    bad("a space before", ` ${good}`),
    bad("a line feed at the end", `${good}\n`),
    bad("a tab between", `${head}\t.${payload}.${signature}`),
    bad("a NUL at the end", `${good}\u0000`),
    bad("Bearer before it", `Bearer ${good}`),
    bad("padding", `${head}=.${payload}.${signature}`),
    bad("padding on the signature", `${good}==`),
    bad("base64 and not base64url", good.replaceAll("-", "+").replaceAll("_", "/").replace(/^/, "+")),
    bad("stray bits in the last character", `${head}.${payload}.${strayBits(signature)}`),
    bad("percent-encoded dot", good.replace(".", "%2e")),
    bad("full-width dot", good.replace(".", "\uff0e")),
    bad("a Cyrillic a in it", good.replace(/[a-z]/, "\u0430")),
    bad("a zero-width space in it", `${head}.${payload}.\u200b${signature}`),
    bad("a signature cut by one", good.slice(0, -1)),
    bad("a signature of one byte", `${head}.${payload}.AA`),
    bad("a signature with extra bytes", `${good}AAAA`),
    bad("a changed signature", `${head}.${payload}.${flip(signature)}`),
    bad("changed claims", `${head}.${encode({ sub: "admin" })}.${signature}`),
    bad("the claims of another token", `${head}.${site.token().split(".")[1]}.${signature}`),
    bad("a token of 9,000 characters", `${good}${"A".repeat(9000)}`),
    bad("JSON serialisation", JSON.stringify({ protected: head, payload, signature })),
    bad("SQL", "' OR 1=1 --"),
    bad("markup", "<script>alert(1)</script>"),
  ];
}

function strayBits(signature: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const last = alphabet.indexOf(signature.slice(-1));
  return signature.slice(0, -1) + alphabet.charAt(last ^ 1);
}

function flip(signature: string): string {
  return (signature.startsWith("A") ? "B" : "A") + signature.slice(1);
}
