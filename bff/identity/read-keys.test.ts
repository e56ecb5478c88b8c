import { describe, expect, it } from "vitest";
import { createEnvironmentReader } from "../../shared/server/environment.ts";
import { readIdentity } from "./read-keys.ts";
import { createTestSite } from "./testing/site-keys.ts";

const { keySet } = createTestSite(() => 0);
function read(env: Record<string, string>) {
  const readFile = (path: string) => {
    if (path === "./keys.json") return keySet;
    throw Object.assign(new Error("none"), { code: "ENOENT" });
  };
  const reader = createEnvironmentReader(env, readFile);
  const settings = readIdentity(reader);
  return { settings, faults: reader.faults.map(({ name, fault }) => `${name} ${fault}`) };
}

describe("IDENTITY_KEYS", () => {
  it.each<[string, Record<string, string>]>([
    ["inline", { IDENTITY_KEYS: keySet }],
    ["as a path", { IDENTITY_KEYS: "./keys.json" }],
    ["as the path of a secret", { IDENTITY_KEYS_FILE: "./keys.json" }],
  ])("is read %s", (_name, env) => {
    const { settings, faults } = read(env);
    expect(faults).toEqual([]);
    expect(settings.keys?.kind === "given" && settings.keys.keys.map(({ kid }) => kid)).toEqual([
      "hmac",
      "ec",
      "ed",
    ]);
  });

  it("can be an address from the configuration", () => {
    const { settings } = read({ IDENTITY_KEYS: "https://shop.example/keys.json" });
    expect(settings.keys).toEqual({ kind: "address", url: "https://shop.example/keys.json" });
  });

  it("may be absent: then every visitor is anonymous", () => {
    expect(read({})).toEqual({ settings: { keys: undefined, policy: "optional" }, faults: [] });
  });

  it.each<[string, Record<string, string>, string]>([
    ["an address without TLS", { IDENTITY_KEYS: "http://shop.example/keys.json" }, "https"],
    ["an address with a password", { IDENTITY_KEYS: "https://a:b@shop.example/" }, "password"],
    ["a file that is not there", { IDENTITY_KEYS: "./none.json" }, "ENOENT"],
    ["no key set", { IDENTITY_KEYS: "{}" }, "Key Set"],
    ["both forms", { IDENTITY_KEYS: keySet, IDENTITY_KEYS_FILE: "./keys.json" }, "one of them"],
    ["a policy that nobody could meet", { IDENTITY_POLICY: "required" }, "IDENTITY_KEYS is missing"],
    ["an unknown policy", { IDENTITY_POLICY: "always" }, "optional, required"],
  ])("%s is a fault", (_name, env, sentence) => {
    expect(read(env).faults.join("\n")).toContain(sentence);
  });

  it("names every key's fault at once", () => {
    expect(read({ IDENTITY_KEYS: '{"keys":[{},{"kid":"a","kty":"oct","k":"x"}]}' }).faults).toHaveLength(2);
  });
});
