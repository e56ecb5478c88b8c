import { randomBytes, randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createGivenKeys } from "../../bff/identity/key-ring.ts";
import { parseKeySet } from "../../bff/identity/key-set.ts";
import { createVerifyToken } from "../../bff/identity/verify-token.ts";
import { createTestClock } from "../../bff/testing/test-clock.ts";
import { runIdentity } from "./command-line.ts";

function openCommand(env: Record<string, string> = {}) {
  const files = new Map<string, string>();
  const clock = createTestClock();
  const run = (...args: string[]) =>
    runIdentity({
      args,
      env,
      readFile: (path) => {
        const text = files.get(path);
        if (text === undefined) throw new Error("ENOENT");
        return text;
      },
      writeFile: (path, text) => void files.set(path, text),
      now: () => clock.now(),
      random: randomBytes,
      newId: randomUUID,
    });
  const verify = async (token: string, siteId = "parley") => {
    const parsed = parseKeySet(files.get("./data/identity/keys.json") ?? "");
    if (parsed.faults.length > 0) throw new Error(parsed.faults.join(" "));
    const keys = createGivenKeys(parsed.keys);
    const store = { write: () => Promise.resolve(true) };
    const verifyToken = createVerifyToken({ keys, store, siteId, clock });
    return verifyToken(token.trim(), async (proven) => proven);
  };
  return { run, files, verify };
}

describe("npm run identity", () => {
  it.each(["ES256", "EdDSA", "HS256"])("creates a key and a token that the BFF accepts (%s)", async (alg) => {
    const { run, verify } = openCommand();
    expect((await run("key", "create", "--alg", alg)).exitCode).toBe(0);
    const { output, errors } = await run("token", "--sub", "customer-42");
    expect(errors).toBe("");
    expect(await verify(output)).toMatchObject({ externalId: "customer-42", traits: {} });
  });

  it("puts every option into the token", async () => {
    const { run, verify } = openCommand({ SITE_ID: "shop" });
    await run("key", "create");
    const asked =
      "token --sub a --name Ann --email ann@example.com --email-verified --locale de " +
      "--trait plan=pro --trait seats=3 --trait trial=true --trait note=1e5";
    const { output } = await run(...asked.split(" "));
    expect(await verify(output, "shop")).toMatchObject({
      externalId: "a",
      displayName: "Ann",
      email: "ann@example.com",
      emailVerified: true,
      locale: "de",
      traits: { plan: "pro", seats: 3, trial: true, note: "1e5" },
    });
  });

  it("a second key is added to the first, and tokens are signed with the newest", async () => {
    const { run, files, verify } = openCommand();
    await run("key", "create", "--kid", "old");
    const old = await run("token", "--sub", "a");
    await run("key", "create", "--kid", "new");
    const fresh = await run("token", "--sub", "b");
    expect(await verify(old.output)).toMatchObject({ externalId: "a", kid: "old" });
    expect(await verify(fresh.output)).toMatchObject({ externalId: "b", kid: "new" });
    expect(files.get("./data/identity/keys.json")).not.toContain('"d"');
  });

  it("writes no key into a folder whose name begins with ~", async () => {
    const { run, files } = openCommand();
    const { errors, exitCode } = await run("key", "create", "--dir=~/keys");
    expect(errors).toBe("The folder ~/keys begins with ~: write the whole path.\n");
    expect(exitCode).toBe(1);
    expect(files.size).toBe(0);
  });

  it("writes no file with --print", async () => {
    const { run, files } = openCommand();
    const { output } = await run("key", "create", "--print");
    const printed = JSON.parse(output) as { keys: unknown };
    expect(parseKeySet(JSON.stringify(printed.keys)).faults).toEqual([]);
    expect(files.size).toBe(0);
  });

  it.each<[string, string[], string]>([
    ["nothing", [], "npm run identity"],
    ["an unknown word", ["tokens"], "npm run identity"],
    ["an unknown option", ["token", "--subject", "a"], "--subject"],
    ["no customer", ["token"], "--sub is missing"],
    ["no key", ["token", "--sub", "a"], "key create"],
    ["a long life", ["token", "--sub", "a", "--life", "901"], "900"],
    ["an unknown algorithm", ["key", "create", "--alg", "RS256"], "ES256"],
    ["an id with a space", ["key", "create", "--kid", "a b"], "--kid"],
  ])("%s fails with a sentence", async (_name, args, sentence) => {
    const { exitCode, errors, output } = await openCommand().run(...args);
    expect([exitCode, output]).toEqual([1, ""]);
    expect(errors).toContain(sentence);
  });

  it.each(["c2VjcmV0Y2FuYXJ5", "null", '"secret-canary"'])(
    "a signing key or a key set that is %s fails with the name of the file, and quotes nothing",
    async (text) => {
      const { run, files } = openCommand();
      files.set("./data/identity/signing-key.json", text);
      files.set("./data/identity/keys.json", text);
      const failed = [await run("token", "--sub", "a"), await run("key", "create")];
      for (const [index, name] of ["signing-key.json", "keys.json"].entries()) {
        expect(failed[index]).toMatchObject({ exitCode: 1, errors: expect.stringContaining(name) });
        expect(failed[index]?.errors).not.toMatch(/c2Vjc|secret/);
      }
      expect(files.get("./data/identity/keys.json")).toBe(text);
    },
  );

  it.each(["=x", "plan"])("the trait %s fails with a sentence", async (trait) => {
    const { run } = openCommand();
    await run("key", "create");
    expect((await run("token", "--sub", "a", "--trait", trait)).errors).toContain("NAME=VALUE");
  });
});
