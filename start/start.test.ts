import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "../bff/testing/free-port.ts";
import { ConfigError } from "../shared/server/environment.ts";
import { listenOnFreePort } from "../shared/testing/listen.ts";
import { start } from "./start.ts";

let root: string;
let port: number;
const running: Awaited<ReturnType<typeof start>>[] = [];
const lines: string[] = [];

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "parley-start-"));
  writeFileSync(join(root, "package.json"), '{"version":"9.9.9"}');
  mkdirSync(join(root, "dist/loader"), { recursive: true });
  mkdirSync(join(root, "dist/widget"), { recursive: true });
  writeFileSync(join(root, "dist/loader/widget.js"), "loader()");
  writeFileSync(join(root, "dist/widget/frame.html"), '<meta name="parley-origins" content="">');
  writeFileSync(join(root, "dist/parley.d.ts"), "export {};");
  port = await freePort();
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((started) => started.stop()));
  rmSync(root, { recursive: true, force: true });
});

async function begin(env: Record<string, string> = {}) {
  const started = await start({
    env: {
      BASE_URL: "http://127.0.0.1:9",
      APPLICATION_CREDENTIAL: "sk_canary",
      DATA_DIR: join(root, "data"),
      PORT: String(port),
      ...env,
    },
    root,
    writeLog: (line: string) => void lines.push(line),
  });
  running.push(started);
  return started;
}
const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);

describe("starting with a remote service", () => {
  it("GATE7 GATE8 warns of a missing TRUSTED_PROXIES and of variables that nobody reads", async () => {
    const env = { PUBLIC_URL: "https://chat.example.com", ALLOWED_ORIGINS: "https://shop.example.com" };
    await begin({ ...env, BASEURL: "https://canary.example.com" });
    const log = lines.join("");
    expect(log).toContain("BASEURL is not read. Did you mean BASE_URL?");
    expect(log).toContain("PUBLIC_URL is set, so a proxy is in front, and TRUSTED_PROXIES is unset");
  });

  it("GATE8 a start that fails names the mistyped variable beside the one that it misses", async () => {
    const env = { BASE_URL: "", ALLOWED_ORIGIN: "https://canary.example.com", KNOWLEDGE_DIRS: "canary" };
    const failed = begin({ ...env, PUBLIC_URL: "https://chat.example.com", TRUSTED_PROXIES: "1" });
    const message = await failed.then(() => "it started", String);
    expect(message).toMatch(/^ {2}ALLOWED_ORIGINS is missing/m);
    expect(message).toMatch(/^ {2}ALLOWED_ORIGIN is not read\. Did you mean ALLOWED_ORIGINS\?$/m);
    // A variable of the service, which would run in this process.
    expect(message).toMatch(/^ {2}KNOWLEDGE_DIRS is not read\. Did you mean KNOWLEDGE_DIR\?$/m);
    expect(message.match(/is not read/g)).toHaveLength(2);
    expect(message).not.toContain("canary");
  });

  it("serves the widget, and neither demo, desk nor service", async () => {
    const greeting = await (await begin()).greeting();
    expect(greeting).toContain(`<script async src="http://localhost:${port}/widget.js"></script>`);
    expect(greeting).not.toContain("/desk");
    expect(await (await get("/widget.js")).text()).toBe("loader()");
    expect(await (await get("/api/config")).json()).toMatchObject({ version: "9.9.9" });
    for (const path of ["/", "/desk", "/v1/openapi.json", "/v1/support/capabilities"]) {
      expect((await get(path)).status).toBe(404);
    }
    expect(lines.join("") + greeting).not.toContain("canary");
  });

  it("is live but not ready while the service can't be reached", async () => {
    const { greeting } = await begin();
    expect((await get("/livez")).status).toBe(200);
    const ready = await get("/readyz");
    expect(ready.status).toBe(503);
    const reason = "The service at BASE_URL does not answer.";
    expect(await ready.json()).toMatchObject({ reasons: [reason] });
    expect(await greeting()).toContain(`Parley is running, but it is not ready:\n  ${reason}\n`);
  });

  it("stops and frees the port", async () => {
    const first = await begin();
    await first.stop();
    running.length = 0;
    await expect(get("/livez")).rejects.toThrow();
    await begin();
    expect((await get("/livez")).status).toBe(200);
  });
});

describe("starting with the embedded service", () => {
  it("GATE7 reports forwarded addresses at the desk, once in the log and once in /readyz", async () => {
    await begin({ BASE_URL: "", APPLICATION_CREDENTIAL: "" });
    const from = lines.length;
    const notes = async () =>
      ((await (await get("/readyz")).json()) as { notes: string[] }).notes.filter((note) =>
        note.startsWith("Forwarded"),
      );
    expect(await notes()).toEqual([]);
    for (let n = 0; n < 2; n += 1)
      await fetch(`http://127.0.0.1:${port}/desk`, { headers: { "x-forwarded-for": "203.0.113.7" } });
    expect(await notes()).toHaveLength(1);
    expect(lines.slice(from).filter((line) => line.includes("Forwarded addresses arrive"))).toHaveLength(1);
  });

  it("takes the calls of profile sources on the same port, and refuses one without a signature", async () => {
    const source = { name: "crm", kind: "webhook", secret: `whsec_${"A".repeat(32)}`, traits: ["plan"] };
    await begin({
      BASE_URL: "",
      APPLICATION_CREDENTIAL: "",
      PROFILE_SOURCES: JSON.stringify([source]),
    });
    const statusOf = async (name: string) =>
      (await fetch(`http://127.0.0.1:${port}/hooks/profiles/${name}`, { method: "POST", body: "{}" })).status;
    expect([await statusOf("crm"), await statusOf("other")]).toEqual([401, 404]);
  });
});

describe("GATE4 a start on another address than localhost", () => {
  const EMBEDDED = { BASE_URL: "", APPLICATION_CREDENTIAL: "" };
  const visit = async (origin: string) => {
    const at = (path: string, init?: RequestInit) => fetch(`${origin}${path}`, init);
    const headers = { origin, "content-type": "application/json" };
    return {
      framed: (await at("/frame")).headers
        .get("content-security-policy")
        ?.match(/frame-ancestors ([^;]*)/)?.[1],
      session: (await at("/api/session", { method: "POST", headers, body: "{}" })).status,
    };
  };

  it("the printed sign-in link leads to the printed desk, whose address is the README's", async () => {
    const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
    const [ofReadme = ""] = /http:\S+\/desk\b/.exec(readme) ?? [];
    const greeting = await (await begin(EMBEDDED)).greeting();
    expect(greeting).toContain("Parley is ready.");
    const [, desk = ""] = /^ {2}Desk +(\S+)$/m.exec(greeting) ?? [];
    const [, link = ""] = /First sign-in to the desk, once:\n {2}(\S+)\n/.exec(greeting) ?? [];
    expect(desk).toBe(ofReadme.replace(":3000/", `:${port}/`));
    expect(link).toMatch(/#setup=[\w-]{20,}$/);
    expect(link.split("#")[0]).toBe(desk);
  });

  it("the announced shop has a working chat", async () => {
    const greeting = await (await begin({ ...EMBEDDED, HOST: "127.0.0.2" })).greeting();
    const origin = `http://127.0.0.2:${port}`;
    expect(greeting).toContain(`  Demo shop   ${origin}/`);
    expect(greeting).not.toContain("ALLOWED_ORIGINS");
    const { framed, session } = await visit(origin);
    expect(framed?.split(" ")).toContain(origin);
    expect(session).toBe(201);
  });

  it("a start on every address announces localhost and the variable for other origins", async () => {
    const greeting = await (await begin({ ...EMBEDDED, HOST: "0.0.0.0" })).greeting();
    expect(greeting).toContain(`  Demo shop   http://localhost:${port}/`);
    expect(greeting).toContain(`http://localhost:${port} http://127.0.0.1:${port}`);
    expect(greeting).toContain("ALLOWED_ORIGINS=");
    expect((await visit(`http://127.0.0.1:${port}`)).session).toBe(201);
    // Control: an origin that is not announced is refused.
    expect((await visit(`http://127.0.0.2:${port}`)).session).toBe(403);
  });
});

describe("problems of the configuration", () => {
  const faulty = {
    BASE_URL: "",
    APPLICATION_CREDENTIAL: "",
    FALLBACK: "nowhere",
    LOG_LEVEL: "loud",
    AGENT_PROVIDERS: "nobody",
    SESSION_SIGNING_KEY: "short",
  };
  const namesOf = (env: Record<string, string>) =>
    begin(env).then(
      () => [],
      (error: unknown) =>
        error instanceof ConfigError ? error.faults.map(({ name }) => name) : [String(error)],
    );

  it("include those of the embedded service, each once", async () => {
    expect(await namesOf(faulty)).toEqual([
      "FALLBACK",
      "LOG_LEVEL",
      "AGENT_PROVIDERS",
      "SESSION_SIGNING_KEY",
    ]);
    expect(existsSync(join(root, "data"))).toBe(false);
  });

  it("OPS9 unusable folders are listed too, and a single one is one sentence", async () => {
    const folders = { BASE_URL: "", APPLICATION_CREDENTIAL: "", KNOWLEDGE_DIR: "/nowhere/at/all" };
    expect(await namesOf({ ...folders, FALLBACK: "nowhere", DATA_DIR: "/dev/null/x" })).toEqual([
      "FALLBACK",
      "KNOWLEDGE_DIR",
      "DATA_DIR",
    ]);
    expect(await namesOf({ ...folders, DATA_DIR: "/dev/null/x" })).toEqual(["KNOWLEDGE_DIR", "DATA_DIR"]);
    expect(await namesOf({ ...folders, AGENT_PROVIDER: "gpt" })).toEqual(["AGENT_PROVIDER", "KNOWLEDGE_DIR"]);
    await expect(begin({ DATA_DIR: "/dev/null/x" })).rejects.toThrow(
      "The data folder /dev/null/x can't be written. Check its disk and its permissions, or set DATA_DIR to another folder.",
    );
    await expect(begin(folders)).rejects.toThrow("/nowhere/at/all does not exist");
  });

  it("OPS9 a data folder that the kernel refuses is one sentence, and no endless loop", async () => {
    for (const folder of ["/proc", "/proc/parley/data"])
      await expect(begin({ DATA_DIR: folder })).rejects.toThrow(
        `The data folder ${folder} can't be written. Check its disk and its permissions, or set DATA_DIR to another folder.`,
      );
  });

  it("with a remote service the service's variables are not read (control)", async () => {
    const elsewhere = { ...faulty, BASE_URL: "http://127.0.0.1:9", APPLICATION_CREDENTIAL: "sk_canary" };
    expect(await namesOf(elsewhere)).toEqual(["FALLBACK", "LOG_LEVEL"]);
  });
});

describe("a start that fails", () => {
  it("on a taken port is one sentence and does not disturb the process that has it", async () => {
    await begin();
    await expect(begin()).rejects.toThrow(/^Port \d+ on 127\.0\.0\.1 is taken\. [^\n]+$/);
    expect((await get("/livez")).status).toBe(200);
  });

  it("on a taken port for metrics names METRICS_PORT", async () => {
    const { port: taken, close } = await listenOnFreePort(createServer());
    onTestFinished(close);
    await expect(begin({ METRICS_PORT: String(taken) })).rejects.toThrow(
      `Port ${taken} on 127.0.0.1 is taken. Stop what uses it, or set METRICS_PORT to another, for example METRICS_PORT=${taken + 1}.`,
    );
  });

  it("on a data folder that can't be created is one sentence, and nothing listens", async () => {
    writeFileSync(join(root, "file"), "");
    await expect(begin({ DATA_DIR: join(root, "file/data") })).rejects.toThrow(/^The data folder [^\n]+$/);
    await expect(get("/livez")).rejects.toThrow();
  });

  it("without a build is one sentence", async () => {
    rmSync(join(root, "dist"), { recursive: true });
    await expect(begin()).rejects.toThrow(/^The widget is not built: [^\n]+$/);
  });

  it("ROUTE3 on targets that the service does not offer names each rule and frees the port", async () => {
    const ROUTING = JSON.stringify([
      { match: { locales: ["de"] }, agentProvider: "knowledg" },
      { match: { locales: ["fr"] }, channel: "phone", humanHandoffAdapter: "desk" },
    ]);
    const env = { BASE_URL: "", APPLICATION_CREDENTIAL: "", HANDOFF_ADAPTER: "pager", ROUTING };
    const error: unknown = await begin(env).catch((thrown: unknown) => thrown);
    expect(error instanceof ConfigError && error.faults.map(({ name, fault }) => `${name} ${fault}`)).toEqual(
      [
        'ROUTING rule 2: channel asks for "phone", but the service offers web.',
        'ROUTING rule 1: agentProvider asks for "knowledg", but the service offers knowledge.',
        'HANDOFF_ADAPTER asks for "pager", but the service offers desk.',
      ],
    );
    await expect(get("/livez")).rejects.toThrow();
  });

  it("ROUTE3 OPS9 on such targets names other faults too", async () => {
    const ROUTING = JSON.stringify([{ match: {}, agentProvider: "knowledg" }]);
    const env = { BASE_URL: "", APPLICATION_CREDENTIAL: "", FALLBACK: "nowhere", ROUTING };
    const error: unknown = await begin(env).catch((thrown: unknown) => thrown);
    expect(error instanceof ConfigError && error.faults.map(({ name }) => name)).toEqual([
      "FALLBACK",
      "ROUTING",
    ]);
  });

  it("ROUTE3 does not happen with targets that the service offers (control)", async () => {
    const ROUTING = JSON.stringify([{ match: { locales: ["de"] }, agentProvider: "knowledge" }]);
    await begin({ BASE_URL: "", APPLICATION_CREDENTIAL: "", HANDOFF_ADAPTER: "desk", ROUTING });
    expect((await get("/livez")).status).toBe(200);
  });

  it("ROUTE3 rules after a catch-all cause a warning, not a failed start", async () => {
    const rules = [
      { match: {}, agentProvider: "x" },
      { match: { locales: ["de"] }, agentProvider: "y" },
    ];
    const from = lines.length;
    await begin({ ROUTING: JSON.stringify(rules) });
    const warnings = () => lines.slice(from).filter((line) => line.includes("holds for everyone"));
    expect(warnings()).toEqual([expect.stringContaining('"level":40')]);
    await running.pop()?.stop();
    await begin({ ROUTING: JSON.stringify(rules.toReversed()) });
    expect(warnings()).toHaveLength(1);
  });

  it("ROUTE3 faulty rules are listed with all other problems, before anything is created", async () => {
    const ROUTING = join(root, "rules.json");
    writeFileSync(
      ROUTING,
      JSON.stringify([
        { match: { locales: ["de"] }, agent: "x" },
        { match: { attributes: { seats: { atLeast: "50" } } }, agentProvider: "x" },
      ]),
    );
    const error: unknown = await begin({ ROUTING, SUPPORT_HOURS: "always", LOG_LEVEL: "loud" }).catch(
      (e) => e,
    );
    const names = error instanceof ConfigError ? error.faults.map(({ name }) => name) : [];
    expect(new Set(names)).toEqual(new Set(["LOG_LEVEL", "ROUTING", "SUPPORT_HOURS"]));
    expect(String(error)).toMatch(/ROUTING rule 1: Unrecognized key: "agent"/);
    expect(String(error)).toMatch(/ROUTING rule 2: match\.attributes\.seats: Must be/);
    expect(existsSync(join(root, "data"))).toBe(false);
  });

  it("frees the port when the embedded service fails", async () => {
    const env = { BASE_URL: "", APPLICATION_CREDENTIAL: "", KNOWLEDGE_DIR: join(root, "nowhere") };
    await expect(begin(env)).rejects.toThrow(/nowhere/);
    await expect(get("/livez")).rejects.toThrow();
  });
});
