import { describe, expect, test } from "vitest";
import { ConfigError, type Environment } from "../shared/server/environment.ts";
import { parseConfig } from "./config.ts";

function noFiles(): string {
  throw new Error("ENOENT");
}

function problemsOf(env: Environment, readFile: (path: string) => string = noFiles): string[] {
  try {
    parseConfig(env, readFile);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split("\n").slice(1);
  }
}

describe("configuration works", () => {
  test("without any variable", () => {
    expect(parseConfig({}, noFiles)).toEqual({
      dataDir: "./data",
      host: "127.0.0.1",
      port: 3001,
      publicUrl: undefined,
      trustedProxies: 0,
      isProxyCountUnset: true,
      logLevel: "info",
      mcpServers: [],
      agents: [expect.objectContaining({ id: "knowledge" })],
      adapters: [expect.objectContaining({ id: "desk" })],
      sources: [],
      signingKey: undefined,
      handoffSecrets: [],
      handoffSecretHeader: "x-handoff-secret",
      publicKeyHeader: "x-public-key",
      storeLimits: {
        fileQuotaBytes: 4096 * 1024 * 1024,
        conversationLimits: { entries: 2000, bytes: 4_000_000 },
      },
      retention: { handoffHours: 72, anonymousDays: 90 },
      variables: expect.toSatisfy((names) => names.has("PORT") && names.has("TRUSTED_PROXIES")),
    });
  });

  test("an empty variable counts as unset, lists allow commas and spaces, `none` means no adapter", () => {
    const config = parseConfig(
      { PORT: "", AGENT_PROVIDERS: " knowledge, ", HANDOFF_ADAPTERS: "none" },
      noFiles,
    );
    expect(config).toMatchObject({ port: 3001, agents: [{ id: "knowledge" }], adapters: [] });
  });

  test("a secret may be in a file", () => {
    const config = parseConfig({ HANDOFF_SECRET_FILE: "/run/secrets/h" }, (path) =>
      path === "/run/secrets/h" ? "a-secret-between-servers\n" : "",
    );
    expect(config.handoffSecrets).toEqual(["a-secret-between-servers"]);
    const two = parseConfig(
      { HANDOFF_SECRET_FILE: "/h" },
      () => "the-next-secret-of-ours\nthe-former-secret-of-ours\n",
    );
    expect(two.handoffSecrets).toEqual(["the-next-secret-of-ours", "the-former-secret-of-ours"]);
  });
});

describe("configuration refuses", () => {
  test("a desk below a path of another site's name, with the reason", () => {
    expect(problemsOf({ PUBLIC_URL: "https://shop.example/desk" })[0]).toContain(
      "PUBLIC_URL has a path: give Parley a host name of its own.",
    );
  });

  test("all faults at once, each with its variable and an example", () => {
    const problems = problemsOf({
      PORT: "70000",
      LOG_LEVEL: "loud",
      AGENT_PROVIDERS: "knowledge,llm",
      HANDOFF_ADAPTERS: "email",
      SESSION_SIGNING_KEY: "short",
      HANDOFF_SECRET: "short",
      PUBLIC_KEY_HEADER: "x y",
      DATABASE_URL: "postgres://x",
    });
    const names = problems.map((line) => line.trim().split(" ")[0]);
    expect(new Set(names)).toEqual(
      new Set([
        "PORT",
        "LOG_LEVEL",
        "AGENT_PROVIDERS",
        "HANDOFF_ADAPTERS",
        "SESSION_SIGNING_KEY",
        "HANDOFF_SECRET",
        "PUBLIC_KEY_HEADER",
        "DATABASE_URL",
      ]),
    );
    for (const line of problems) expect(line).toMatch(/For example: [A-Z_]+=/);
  });

  test.each<[string, Environment, () => string]>([
    ["a file that can't be read", { HANDOFF_SECRET_FILE: "/nowhere" }, noFiles],
    ["an empty file", { HANDOFF_SECRET_FILE: "/empty" }, () => "\n"],
    ["a short one of two", { HANDOFF_SECRET: "a-secret-between-servers short" }, noFiles],
    ["both forms", { HANDOFF_SECRET_FILE: "/x", HANDOFF_SECRET: "a-secret-between-servers" }, () => "x"],
  ])("%s of a secret", (_name, env, readFile) => {
    expect(problemsOf(env, readFile)).toHaveLength(1);
  });

  test("without printing any part of a secret", () => {
    const problems = problemsOf({ HANDOFF_SECRET: "canary", SESSION_SIGNING_KEY: "canary" });
    expect(problems).toHaveLength(2);
    expect(problems.join()).not.toContain("canary");
  });
});
