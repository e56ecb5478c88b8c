import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { ConfigError } from "../shared/server/environment.ts";
import { type Config, parseConfig } from "./config.ts";
import { authVariable } from "./upstream/read-credentials.ts";

const REMOTE = { BASE_URL: "https://support.example.com", APPLICATION_CREDENTIAL: "sk_1" };
const PUBLIC = { PUBLIC_URL: "https://chat.example.com", ALLOWED_ORIGINS: "https://www.example.com" };

const parse = (env: Record<string, string>, files: Record<string, string> = {}): Config =>
  parseConfig(env, (path) => {
    const text = files[path];
    if (text === undefined) throw Object.assign(new Error("no file"), { code: "ENOENT" });
    return text;
  });
const faultsOf = (env: Record<string, string>, files?: Record<string, string>): string[] => {
  try {
    parse(env, files);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults.map(({ name }) => name);
    throw error;
  }
};

describe("the configuration", () => {
  it("SHARE7 a problem of the store's address does not quote the address", () => {
    for (const url of [
      "redis://u:canary@h/x",
      "redis://u:canary@h?x",
      "http://u:canary@h",
      "redis://u:canary%@h",
    ]) {
      expect(() => parseConfig({ STORE_URL: url }, () => "")).toThrow(
        /^(?![\s\S]*canary)[\s\S]*STORE_URL must be/,
      );
    }
    const config = parseConfig({ STORE_URL_FILE: "/run/store" }, () => "redis://u:canary@h:1/2\n");
    expect(config.storeUrl?.equals("redis://u:canary@h:1/2")).toBe(true);
    expect(JSON.stringify(config) + inspect(config, { depth: 9 })).not.toContain("canary");
  });

  it("an empty environment is the embedded demo, on this machine only", () => {
    const config = parse({});
    expect(config).toMatchObject({
      baseUrl: undefined,
      host: "127.0.0.1",
      port: 3000,
      dataDir: "./data",
      siteId: "parley",
      trustedProxies: 0,
      logLevel: "info",
    });
    expect(config.allowedOrigins).toEqual(["http://localhost:3000", "http://127.0.0.1:3000"]);
    expect(config.ownOrigins).toEqual(config.allowedOrigins);
    expect(config.credentials.publicKeyHeader).toBe("x-public-key");
    expect(config.credentials.schemes).toMatchObject({ identify: "application", turns: "session" });
  });

  it.each<[string, Record<string, string>, string | undefined]>([
    ["one address", { HOST: "127.0.0.2", PORT: "4350" }, "http://127.0.0.2:4350"],
    ["a name, as browsers write it", { HOST: "Chat.Internal" }, "http://chat.internal:3000"],
    ["an IPv6 address", { HOST: "fd00:0::2" }, "http://[fd00::2]:3000"],
    ["the usual port is not written", { HOST: "192.0.2.7", PORT: "80" }, "http://192.0.2.7"],
    ["every address", { HOST: "0.0.0.0" }, undefined],
    ["every IPv6 address", { HOST: "::" }, undefined],
    ["what stands in no address", { HOST: "a b;c" }, undefined],
    ["this machine", { HOST: "localhost" }, undefined],
  ])("GATE4 HOST %s: only its origin is added to the two of this machine", (_name, env, own) => {
    const config = parse(env);
    const port = env["PORT"] === "80" ? "" : `:${env["PORT"] ?? 3000}`;
    const here = [`http://localhost${port}`, `http://127.0.0.1${port}`];
    expect(config.allowedOrigins).toEqual(own ? [own, ...here] : here);
    expect(config.ownOrigins).toEqual(config.allowedOrigins);
  });

  it("GATE4 only the origins of ALLOWED_ORIGINS may show the panel, whatever HOST is", () => {
    const env = { HOST: "127.0.0.2", ALLOWED_ORIGINS: "https://a.example" };
    expect(parse(env).allowedOrigins).toEqual(["https://a.example"]);
    expect(parse({ ...PUBLIC, HOST: "127.0.0.2" }).ownOrigins).toEqual(["https://chat.example.com"]);
  });

  it("GATE4 HOST=localhost listens on 127.0.0.1", () => {
    expect(parse({ HOST: "localhost" }).host).toBe("127.0.0.1");
  });

  it("an empty variable counts as unset", () => {
    expect(parse({ BASE_URL: "", APPLICATION_CREDENTIAL: " " }).baseUrl).toBeUndefined();
  });

  it("BASE_URL keeps its path and loses its last slash", () => {
    expect(parse({ ...REMOTE, BASE_URL: "https://h.example/api/" }).baseUrl).toBe("https://h.example/api");
  });

  it("origins are listed by comma or space, and the public address is the own origin", () => {
    const config = parse({
      ...PUBLIC,
      ALLOWED_ORIGINS: "https://a.example, https://b.example:8443  http://localhost:1",
    });
    expect(config.allowedOrigins).toEqual([
      "https://a.example",
      "https://b.example:8443",
      "http://localhost:1",
    ]);
    expect(config.ownOrigins).toEqual(["https://chat.example.com"]);
  });

  it("a secret may come from a file", () => {
    const config = parse(
      { BASE_URL: REMOTE.BASE_URL, APPLICATION_CREDENTIAL_FILE: "/s" },
      { "/s": "sk_file\n" },
    );
    expect(config.credentials.application?.reveal()).toBe("sk_file");
  });

  it.each([
    ["mailto:help@example.com", "mail"],
    ["tel:+4930123", "phone"],
    ["https://example.com/help", "link"],
    ["tel:+49 (30) 123-4;ext=5", "phone"],
    ["mailto:help@example.com?subject=Chat", "mail"],
  ])("FALLBACK=%s is a %s", (FALLBACK, kind) => {
    expect(parse({ FALLBACK }).fallback?.kind).toBe(kind);
  });

  it.each([
    ["identify", "AUTH_IDENTIFY"],
    ["providerSelection", "AUTH_PROVIDER_SELECTION"],
    ["endConversation", "AUTH_END_CONVERSATION"],
  ])("the scheme of %s is named by %s", (id, name) => {
    expect(authVariable(id)).toBe(name);
  });

  it.each<[string, Record<string, string>, string[]]>([
    ["http outside this machine", { ...REMOTE, BASE_URL: "http://support.example.com" }, ["BASE_URL"]],
    ["no address", { ...REMOTE, BASE_URL: "support" }, ["BASE_URL"]],
    ["a user in the address", { ...REMOTE, BASE_URL: "https://u:p@h.example" }, ["BASE_URL"]],
    ["a query in the address", { ...REMOTE, BASE_URL: "https://h.example?x" }, ["BASE_URL"]],
    ["no credential", { BASE_URL: "https://h.example" }, ["APPLICATION_CREDENTIAL"]],
    ["a credential without an address", { APPLICATION_CREDENTIAL: "sk" }, ["APPLICATION_CREDENTIAL"]],
    [
      "a credential with a line break inside",
      { ...REMOTE, APPLICATION_CREDENTIAL: "a\nb" },
      ["APPLICATION_CREDENTIAL"],
    ],
    ["a secret twice", { ...REMOTE, APPLICATION_CREDENTIAL_FILE: "/s" }, ["APPLICATION_CREDENTIAL"]],
    ["a secret's file that is missing", { HANDOFF_SECRET_FILE: "/none" }, ["HANDOFF_SECRET_FILE"]],
    ["a header that is taken", { PUBLIC_KEY_HEADER: "Authorization" }, ["PUBLIC_KEY_HEADER"]],
    ["no header name", { HANDOFF_SECRET_HEADER: "x y" }, ["HANDOFF_SECRET_HEADER"]],
    ["an unknown scheme", { AUTH_TURNS: "basic" }, ["AUTH_TURNS"]],
    ["identify by session", { AUTH_IDENTIFY: "session" }, ["AUTH_IDENTIFY"]],
    ["sessions by session", { AUTH_SESSIONS: "session" }, ["AUTH_SESSIONS"]],
    ["a public address without allowed sites", { PUBLIC_URL: "https://c.example" }, ["ALLOWED_ORIGINS"]],
    ["a public address with a path", { ...PUBLIC, PUBLIC_URL: "https://c.example/chat" }, ["PUBLIC_URL"]],
    ["a public address over http", { ...PUBLIC, PUBLIC_URL: "http://c.example" }, ["PUBLIC_URL"]],
    ["every site", { ALLOWED_ORIGINS: "*" }, ["ALLOWED_ORIGINS"]],
    ["no site", { ALLOWED_ORIGINS: "null" }, ["ALLOWED_ORIGINS"]],
    ["an empty list of sites", { ...PUBLIC, ALLOWED_ORIGINS: "," }, ["ALLOWED_ORIGINS"]],
    ["every name below a site's", { ALLOWED_ORIGINS: "https://*.example.com" }, ["ALLOWED_ORIGINS"]],
    ["sites between semicolons", { ALLOWED_ORIGINS: "https://a.example;" }, ["ALLOWED_ORIGINS"]],
    ["a public address with a comma", { ...PUBLIC, PUBLIC_URL: "https://c.example," }, ["PUBLIC_URL"]],
    ["a service's address with a comma", { ...REMOTE, BASE_URL: "https://s.example," }, ["BASE_URL"]],
    ["an origin with a slash", { ALLOWED_ORIGINS: "https://a.example/" }, ["ALLOWED_ORIGINS"]],
    ["an origin in capitals", { ALLOWED_ORIGINS: "https://A.example" }, ["ALLOWED_ORIGINS"]],
    ["an origin with its default port", { ALLOWED_ORIGINS: "https://a.example:443" }, ["ALLOWED_ORIGINS"]],
    ["an origin with a trailing dot", { ALLOWED_ORIGINS: "https://a.example." }, ["ALLOWED_ORIGINS"]],
    ["a script as fallback", { FALLBACK: "javascript:alert(1)" }, ["FALLBACK"]],
    ["a plain http fallback", { FALLBACK: "http://example.com" }, ["FALLBACK"]],
    ["a fallback to no mail address", { FALLBACK: "mailto:help" }, ["FALLBACK"]],
    ["a fallback to no number", { FALLBACK: "tel:" }, ["FALLBACK"]],
    ["a fallback to two words", { FALLBACK: "https://example.com/a b" }, ["FALLBACK"]],
    ["a port beyond all", { PORT: "70000" }, ["PORT"]],
    ["a port in words", { PORT: "http" }, ["PORT"]],
    ["proxies below none", { TRUSTED_PROXIES: "-1" }, ["TRUSTED_PROXIES"]],
    ["a level that is none", { LOG_LEVEL: "loud" }, ["LOG_LEVEL"]],
    ["a site id with a space", { SITE_ID: "my site" }, ["SITE_ID"]],
    ["a route target without end", { AGENT_PROVIDER: "x".repeat(129) }, ["AGENT_PROVIDER"]],
    ["a shared store of another kind", { STORE_URL: "postgres://r" }, ["STORE_URL"]],
    ["a shared store with a query", { STORE_URL: "redis://r/0?tls=1" }, ["STORE_URL"]],
    ["a shared store without a host", { STORE_URL: "redis:///0" }, ["STORE_URL"]],
    ["a database that is no number", { STORE_URL: "redis://r/chat" }, ["STORE_URL"]],
    ["required identity without keys", { IDENTITY_POLICY: "required" }, ["IDENTITY_KEYS"]],
    ["identity keys that are none", { IDENTITY_KEYS: "{}" }, ["IDENTITY_KEYS"]],
    ["routing that is no list of rules", { ROUTING: "{}" }, ["ROUTING"]],
    ["support hours in nobody's spelling", { SUPPORT_HOURS: "Mon-Fri 9-5 UTC" }, ["SUPPORT_HOURS"]],
  ])("refuses %s", (_, env, names) => {
    expect(faultsOf(env)).toEqual(names);
  });

  it.each([
    "https://ann:canary@b.example",
    "ann:canary@c.example",
    "https://ann:canary/x,canary y@d.example",
  ])("quotes nothing of ALLOWED_ORIGINS beside a password: %s", (origin) => {
    const env = { ALLOWED_ORIGINS: `https://a.example, ${origin}` };
    expect(() => parseConfig(env, () => "")).toThrow(
      /^(?!.*canary).*holds an address with a user or password/s,
    );
  });

  it.each<[string, Record<string, string>, string]>([
    ["quotes, as Docker's --env-file passes them on", { SITE_ID: '"shop"' }, "SITE_ID"],
    ["a comment, as EnvironmentFile of systemd does", { DATA_DIR: "/data # our disk" }, "DATA_DIR"],
    ["a comment in the place of a value", { DATA_DIR: "# our disk" }, "DATA_DIR"],
    ["a home folder that only a shell knows", { DATA_DIR: "~/parley" }, "DATA_DIR"],
    ["both, around a secret", { HANDOFF_SECRET: '"s3cret" # of 2026' }, "HANDOFF_SECRET"],
    ["quotes in a secret's file", { HANDOFF_SECRET_FILE: "/quoted" }, "HANDOFF_SECRET_FILE"],
    ["a file in UTF-16", { SUPPORT_HOURS: "/utf16" }, "SUPPORT_HOURS"],
  ])("refuses %s, in one sentence that names the variable", (_, env, name) => {
    const files = { "/quoted": '"s3cret"\n', "/utf16": "\uFFFD\uFFFDM\0o\0n\0" };
    expect(faultsOf(env, files)).toEqual([name]);
    expect(() => parse(env, files)).not.toThrow(/s3cret/);
  });

  it("JSON may contain what looks like a comment", () => {
    const match = { attributes: { plan: ["no #1"] } };
    const text = JSON.stringify([{ match, agentProvider: "assistant" }]);
    expect(faultsOf({ ...REMOTE, ROUTING: text })).toEqual([]);
  });

  it("says why the chat can't be served below a path", () => {
    expect(() => parse({ ...PUBLIC, PUBLIC_URL: "https://shop.example/chat" })).toThrow(
      /PUBLIC_URL has a path: give Parley a host name of its own\./,
    );
    expect(parse({ ...PUBLIC, PUBLIC_URL: "https://chat.example.com/" }).publicUrl).toBe(
      "https://chat.example.com",
    );
  });

  it("lists every problem at once, each with an example, and no secret", () => {
    const env = {
      ...REMOTE,
      BASE_URL: "http://x.example",
      PORT: "0",
      FALLBACK: "ftp://x",
      APPLICATION_CREDENTIAL: "sk canary",
    };
    expect(faultsOf(env)).toEqual(["BASE_URL", "PORT", "APPLICATION_CREDENTIAL", "FALLBACK"]);
    expect(() => parse(env)).toThrow(/BASE_URL must be https[\s\S]*For example: BASE_URL=https/);
    expect(() => parse(env)).not.toThrow(/canary/);
  });

  it("a secret is never printed", () => {
    const { credentials } = parse({ ...REMOTE, APPLICATION_CREDENTIAL: "sk_canary" });
    expect(`${JSON.stringify(credentials)} ${String(credentials.application)}`).not.toContain("canary");
  });
});
