import { describe, expect, it } from "vitest";
import { parseConfig as parseBffConfig } from "../../bff/config.ts";
import { parseConfig as parseServiceConfig } from "../../service/config.ts";
import { unreadVariables } from "./unread-variables.ts";

const bff = parseBffConfig({}, () => "").variables;
const service = parseServiceConfig({}, () => "").variables;

describe("GATE8 a variable that nobody reads", () => {
  it.each([
    ["BASEURL", "BASE_URL"],
    ["base_url", "BASE_URL"],
    ["BASE_URI", "BASE_URL"],
    ["BASE_URL_FILE", "BASE_URL"],
    ["PARLEY_BASE_URL", "BASE_URL"],
    ["PUBLICURL", "PUBLIC_URL"],
    ["TRUSTED_PROXY", "TRUSTED_PROXIES"],
    ["TRUST_PROXIES", "TRUSTED_PROXIES"],
    ["ALLOWED_ORIGIN", "ALLOWED_ORIGINS"],
    ["APPLICATION_CREDENTIALS", "APPLICATION_CREDENTIAL"],
    ["AUTH_SESSION", "AUTH_SESSIONS"],
    ["LOGLEVEL", "LOG_LEVEL"],
    ["Port", "PORT"],
  ])("%s is named with %s", (name, meant) => {
    expect(unreadVariables({ [name]: "x" }, bff)).toEqual([`${name} is not read. Did you mean ${meant}?`]);
  });

  it("a limit that does not exist is named", () => {
    expect(unreadVariables({ LIMIT_NOISE: "3" }, bff)).toEqual([
      "LIMIT_NOISE is not read: there is no such variable.",
    ]);
  });

  const openai = parseServiceConfig(
    { AGENT_PROVIDERS: "openai", AGENT_OPENAI_BASE_URL: "http://x", AGENT_OPENAI_MODEL: "m" },
    () => "",
  ).variables;
  it.each([
    ["AGENT_OPENAI_KEY", "Did you mean AGENT_OPENAI_API_KEY?"],
    ["AGENT_OPENAI_URL", "Did you mean AGENT_OPENAI_BASE_URL?"],
    ["AGENT_OPENAI_FALLBACK_KEY", "Did you mean AGENT_OPENAI_FALLBACK_API_KEY?"],
    ["AGENT_OPENAI_KEY_FILE", "Did you mean AGENT_OPENAI_API_KEY?"],
    ["EMBEDDINGS_URL", "Did you mean EMBEDDINGS_BASE_URL?"],
    ["KNOWLEDGE_FOLDER", "there is no such variable."],
  ])("%s begins like others, so it is named: %s", (name, rest) => {
    const [sentence] = unreadVariables({ [name]: "x" }, openai);
    expect(sentence).toMatch(new RegExp(`^${name} is not read[.:] ${rest.replace("?", "\\?")}$`));
    expect(unreadVariables({ [name]: "x" }, bff)).toEqual([]);
  });

  it("the variables of an agent that is not listed cause one sentence where the agents run", () => {
    const env = { AGENT_OPENAI_MODEL: "m", AGENT_OPENAI_BASE_URL: "http://x", AGENT_HTTP_URL: " " };
    const sentence = "AGENT_OPENAI_… is not read, because AGENT_PROVIDERS does not list openai.";
    expect(unreadVariables(env, service)).toEqual([sentence]);
    expect(unreadVariables(env, openai)).toEqual([]);
    expect(unreadVariables(env, bff)).toEqual([]);
  });

  it("no sentence has a value", () => {
    expect(unreadVariables({ APPLICATION_CREDENTIALS: "sk_canary" }, bff).join("")).not.toContain("canary");
  });

  it("a variable that is read, is empty, or belongs to others is not named", () => {
    const others = {
      PATH: "/bin",
      HOME: "/root",
      HOSTNAME: "shop",
      SHELL: "/bin/sh",
      LOGNAME: "shop",
      MAIL: "/var/mail",
      LANG: "C",
      NODE_ENV: "production",
      NODE_OPTIONS: "--no-warnings",
      NODE_EXTRA_CA_CERTS: "/etc/ca.pem",
      npm_config_loglevel: "warn",
      npm_lifecycle_event: "start",
      DATABASE_URL: "x",
      REDIS_URL: "x",
      XDG_DATA_DIRS: "/usr/share",
      SSH_AUTH_SOCK: "/tmp/x",
      INVOCATION_ID: "x",
      BASEURL: " ",
      BASE_URL: "https://support.example.com",
      APPLICATION_CREDENTIAL_FILE: "/run/secrets/x",
    };
    expect(unreadVariables(others, bff)).toEqual([]);
  });

  it("one environment may serve both servers", () => {
    const env = Object.fromEntries([...bff, ...service].map((name) => [name, "x"]));
    expect(unreadVariables(env, bff)).toEqual([]);
    expect(unreadVariables(env, service)).toEqual([]);
  });
});
