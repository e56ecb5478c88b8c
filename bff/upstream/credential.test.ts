import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { V1_CONTRACT, type V1Id } from "../../shared/v1/contract.ts";
import { parseConfig } from "../config.ts";
import { createAuthorize } from "./credential.ts";
import { authVariable } from "./read-credentials.ts";

const ROOT = resolve(import.meta.dirname, "..");
const RECORDS = new Map(V1_CONTRACT.map((operation) => [operation.id, operation]));

/** The headers of a call, by the id of its operation. */
function authorize(env: Record<string, string> = {}) {
  const headersOf = createAuthorize(
    parseConfig(
      {
        BASE_URL: "https://h.example",
        APPLICATION_CREDENTIAL: "sk",
        APPLICATION_PUBLIC_KEY: "pk",
        HANDOFF_SECRET: "hs",
        ...env,
      },
      () => "",
    ).credentials,
  );
  return (id: V1Id, token: string | undefined) => {
    const operation = RECORDS.get(id);
    if (!operation) throw new Error(`no record of ${id}`);
    return headersOf(operation, token);
  };
}

describe("the headers that authenticate a call", () => {
  it("follow the contract's defaults", () => {
    const headers = authorize();
    expect(headers("identify", undefined)).toEqual({ authorization: "Bearer sk" });
    expect(headers("sessions", undefined)).toEqual({ authorization: "Bearer sk", "x-public-key": "pk" });
    expect(headers("supportSelection", "st")).toEqual({ authorization: "Bearer st", "x-public-key": "pk" });
    expect(headers("turns", "st")).toEqual({ authorization: "Bearer st" });
    expect(headers("handoffs", "st")).toEqual({ authorization: "Bearer st", "x-handoff-secret": "hs" });
  });

  it("follow the configuration where the integration differs", () => {
    const headers = authorize({
      AUTH_CONVERSATIONS: "application",
      AUTH_HANDOFFS: "none",
      PUBLIC_KEY_HEADER: "X-App",
      HANDOFF_SECRET_HEADER: "X-S2S",
    });
    expect(headers("conversations", "st")).toEqual({ authorization: "Bearer sk" });
    expect(headers("handoffs", "st")).toEqual({ "x-s2s": "hs" });
    expect(headers("sessions", undefined)).toMatchObject({ "x-app": "pk" });
  });

  it("a session call without a token does not fall back to the credential", () => {
    expect(authorize()("turns", undefined)).toEqual({});
  });

  it("a secret is revealed only where it is sent to its recipient", () => {
    const files = globSync("**/*.ts", { cwd: ROOT }).filter((file) => !file.endsWith(".test.ts"));
    const revealing = files.filter((file) => /\.reveal\(/.test(readFileSync(resolve(ROOT, file), "utf8")));
    expect(revealing.toSorted()).toEqual(["store/store-address.ts", "upstream/credential.ts"]);
  });
});

describe("every endpoint's scheme is configuration", () => {
  const KEYED: readonly string[] = ["sessions", "providerSelection", "supportSelection"];
  const cases = V1_CONTRACT.flatMap(({ id, auth }) =>
    ([undefined, "application", "session", "none"] as const)
      .filter((scheme) => !(id === "identify" && scheme && scheme !== "application"))
      .filter((scheme) => !(id === "sessions" && scheme === "session"))
      .map((scheme) => ({ id, scheme, expected: scheme ?? auth })),
  );
  it.each(cases)("AUTH of $id as $scheme", ({ id, scheme, expected }) => {
    const names = { PUBLIC_KEY_HEADER: "X-App", HANDOFF_SECRET_HEADER: "X-S2S" };
    const env = scheme === undefined ? names : { ...names, [authVariable(id)]: scheme };
    const proof = { application: "Bearer sk", session: "Bearer st", none: undefined }[expected];
    expect(authorize(env)(id, "st")).toEqual({
      ...(proof ? { authorization: proof } : {}),
      ...(KEYED.includes(id) ? { "x-app": "pk" } : {}),
      ...(id === "handoffs" ? { "x-s2s": "hs" } : {}),
    });
  });

  it("the table has every operation with every scheme that it may have (control)", () => {
    expect(cases).toHaveLength(V1_CONTRACT.length * 4 - 3);
  });
});
