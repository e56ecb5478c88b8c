import { describe, expect, it } from "vitest";
import { type DoctorDeps, Health, runDoctor } from "./command-line.ts";
import { type Finding, fault, good, note } from "./finding.ts";
import type { PublicAnswer } from "./read-public.ts";

const SERVICE = { BASE_URL: "https://support.example.com", APPLICATION_CREDENTIAL: "sk_canary" };

function run(args: string[], env: Record<string, string>, answers: Partial<DoctorDeps> = {}) {
  return runDoctor({
    args,
    env,
    readFile: () => "",
    examineService: () => Promise.resolve([]),
    examineStores: () => Promise.resolve([]),
    readPublic: () => Promise.resolve("chat"),
    readHealth: () => Promise.resolve({ status: "ok", reasons: [], notes: [] }),
    readPage: (url) =>
      url.includes("gone")
        ? Promise.reject(new Error("gone"))
        : Promise.resolve({ url, status: 200, policy: undefined, html: "" }),
    ...answers,
  });
}

describe("npm run doctor", () => {
  it.each<[string, Finding[], number, string]>([
    ["only good findings", [good("It answers.")], 0, "No fault found in what was examined."],
    ["a note", [note("No events.")], 0, "note  No events."],
    [
      "a fault",
      [good("It answers."), fault("Late.")],
      1,
      "WRONG Late.\n\n1 fault found in what was examined.",
    ],
  ])("DOC1 the exit code is 0 only without a fault: %s", async (_, findings, code, text) => {
    const { output, exitCode } = await run([], SERVICE, { examineService: async () => findings });
    expect(exitCode).toBe(code);
    expect(output).toContain(text);
  });

  it("names every fault of the configuration, and makes no request", async () => {
    const fail = () => Promise.reject(new Error("a request"));
    const env = { BASE_URL: "http://support.example.com", PORT: "x", ALLOWED_ORIGIN: "https://shop.example" };
    const { output, exitCode } = await run([], env, {
      examineService: fail,
      examineStores: fail,
      readHealth: fail,
    });
    expect(exitCode).toBe(1);
    for (const name of ["BASE_URL must be https", "PORT must be", "APPLICATION_CREDENTIAL is missing"])
      expect(output).toContain(name);
    expect(output).toContain("note  ALLOWED_ORIGIN is not read. Did you mean ALLOWED_ORIGINS?");
    expect(output).toContain("3 faults found in what was examined.");
  });

  it("GATE7 GATE8 notes a public name without TRUSTED_PROXIES, and variables that nobody reads", async () => {
    const env = { PUBLIC_URL: "https://chat.example.com", ALLOWED_ORIGINS: "https://shop.example.com" };
    const { output, exitCode } = await run([], { ...SERVICE, ...env, BASEURL: "x", TRUSTED_PROXY: "1" });
    expect(exitCode).toBe(0);
    expect(output).toContain("note  PUBLIC_URL is set, so a proxy is in front, and TRUSTED_PROXIES is unset");
    expect(output).toContain("note  BASEURL is not read. Did you mean BASE_URL?");
    expect(output).toContain("note  TRUSTED_PROXY is not read. Did you mean TRUSTED_PROXIES?");
    const said = await run([], { ...SERVICE, ...env, TRUSTED_PROXIES: "0" });
    expect(said.output).not.toContain("TRUSTED_PROXIES");
    expect((await run([], { KNOWLEDGE_DIR: "demo/articles" })).output).not.toContain("is not read");
  });

  it.each([
    [
      { ROUTING: '[{"match": {}, "humanHandoffAdapter": "vip"}]' },
      'ROUTING rule 1: humanHandoffAdapter asks for "vip", but the service offers desk.',
    ],
    [{ AGENT_PROVIDER: "gpt" }, 'AGENT_PROVIDER asks for "gpt", but the service offers knowledge.'],
    [{ KNOWLEDGE_DIR: "/nope" }, "KNOWLEDGE_DIR is refused: The knowledge folder /nope does not exist"],
  ])("DOC2 names what stops the start with the embedded service: %j", async (env, sentence) => {
    const { output, exitCode } = await run([], env);
    expect(exitCode).toBe(1);
    expect(output).toContain(`WRONG ${sentence}`);
    expect(output).not.toContain("The configuration is valid.");
    // A service elsewhere has targets and articles of its own (control).
    expect((await run([], { ...SERVICE, ...env })).exitCode).toBe(0);
  });

  it("notes routing rules that can never win", async () => {
    const ROUTING = '[{"match": {}, "channel": "a"}, {"match": {"locales": ["de"]}, "channel": "b"}]';
    const { output, exitCode } = await run([], { ...SERVICE, ROUTING });
    expect(output).toContain("note  ROUTING rule 1 holds for everyone");
    expect(exitCode).toBe(0);
  });

  it("does not take a service on that port for the process", () => {
    expect(Health.safeParse({ ready: true, reasons: [], notes: [] }).success).toBe(false);
  });

  it.each<[string, Record<string, string>, Health | undefined, number, string]>([
    ["ready", {}, { status: "ok", reasons: [], notes: [] }, 0, "ok    The process on port 3000 is ready."],
    [
      "not ready",
      SERVICE,
      { status: "unavailable", reasons: ["The session store can't be written."], notes: [] },
      1,
      "WRONG The session store can't be written.",
    ],
    [
      "GATE7 ready, with forwarded addresses",
      SERVICE,
      { status: "ok", reasons: [], notes: ["Forwarded addresses arrive."] },
      1,
      "ok    The process on port 3000 is ready.\nWRONG Forwarded addresses arrive.",
    ],
    ["absent, with the service in it", {}, undefined, 1, "WRONG No chat answers on port 3000"],
    ["absent, with a service elsewhere", SERVICE, undefined, 0, "note  No chat answers on port 3000"],
  ])("examines the running process: %s", async (_, env, health, code, text) => {
    const { output, exitCode } = await run([], env, { readHealth: async () => health });
    expect(output).toContain(text);
    expect(exitCode).toBe(code);
  });

  it.each<[string, PublicAnswer | undefined, number, string]>([
    ["a chat", "chat", 0, "ok    A chat answers at https://chat.example.com (PUBLIC_URL)."],
    ["a chat behind a small limit", { refusedWith: 413 }, 1, "nginx: client_max_body_size 11m"],
    ["a chat, but not to a file", "file-unknown", 0, "-     A file of 10 MB: it got no answer"],
    ["something else", "other", 1, "WRONG https://chat.example.com (PUBLIC_URL) answers, and is no chat."],
    ["nothing", undefined, 0, "note  https://chat.example.com (PUBLIC_URL) can't be reached"],
  ])("DOC2 examines PUBLIC_URL, where %s answers", async (_, answer, code, text) => {
    const env = { PUBLIC_URL: "https://chat.example.com", ALLOWED_ORIGINS: "https://shop.example.com" };
    const { output, exitCode } = await run([], { ...SERVICE, ...env }, { readPublic: async () => answer });
    expect(output).toContain(text);
    expect(exitCode).toBe(code);
  });

  it("DOC2 reports a store that does not work, and says what it did not look at", async () => {
    const broken = [fault("The store at STORE_URL can't be reached, or takes no writes.")];
    const { output, exitCode } = await run([], SERVICE, { examineStores: async () => broken });
    expect(exitCode).toBe(1);
    expect(output).toContain("WRONG The store at STORE_URL can't be reached");
    expect(output).toMatch(/Not looked at:\n- {5}Messages, events .*\n- {5}The pages of the site/);
    expect((await run([], {})).output).toMatch(/Not looked at:\n- .*\n- {5}The contents of the database/);
  });

  it.each([[[]], [["--conversation"]]])(
    "DOC2 %j says that the embedded service's endpoints are not called",
    async (args) => {
      const sentence = "-     The endpoints of the embedded service, with or without --conversation";
      expect((await run(args, {})).output).toContain(sentence);
      expect((await run(args, SERVICE)).output).not.toContain("embedded");
    },
  );

  it("examines pages, and reports those that can't be read", async () => {
    const { output, exitCode } = await run(["--page", "https://gone.example.com/"], SERVICE);
    expect(output).toContain("https://gone.example.com/ can't be read from this machine.");
    expect(exitCode).toBe(1);
    const shop = await run(["--page", "https://shop.example.com"], SERVICE);
    expect(shop.output).toContain("https://shop.example.com may not show the panel");
  });

  it.each<[string, string, Record<string, string>]>([
    ["localhost", "127.0.0.1", {}],
    ["127.0.0.1", "localhost", {}],
    ["localhost", "127.0.0.1", { ALLOWED_ORIGINS: "https://shop.example.com" }],
  ])("a page of %s may have the tag of %s, as the demo shop has: %j", async (site, chat, env) => {
    const policy = `script-src http://${chat}:3000; frame-src http://${chat}:3000`;
    const html = `<script async src="http://${chat}:3000/widget.js"></script>`;
    const readPage = async (url: string) => ({ url, status: 200, policy, html });
    const { output, exitCode } = await run(["--page", `http://${site}:3000/`], env, { readPage });
    expect(output).toContain(`http://${site}:3000/ can show the panel.`);
    expect(exitCode).toBe(0);
  });

  it.each([[["--pgae", "https://x.example"]], [["--page"]], [["--page", "file:///etc/passwd"]]])(
    "%j exits with 2 and the usage",
    async (args) => {
      const { output, exitCode } = await run(args, SERVICE);
      expect(exitCode).toBe(2);
      expect(output).toContain("npm run doctor -- --page");
    },
  );

  it("DOC1 no credential is printed", async () => {
    expect((await run([], SERVICE)).output).not.toContain("canary");
  });
});
