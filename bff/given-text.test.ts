import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startCanaryListener } from "../e2e/upstream/canary-listener.ts";
import { type EmbeddedService, startEmbeddedService } from "../service/embedded.ts";
import type { ConversationSnapshot } from "../shared/conversation.ts";
import { createTestSite } from "./identity/testing/site-keys.ts";
import { createTestBff, type TestBff } from "./testing/test-bff.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 30_000 });

const quiet = () => undefined;
const LOG = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const site = createTestSite(() => Date.now());

let directory: string;
let service: EmbeddedService;
let bff: TestBff;
/** Every connection that this process opened since the test began, whatever opened it. */
let opened = 0;
const count = () => {
  opened += 1;
};
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "parley-given-"));
  service = await startEmbeddedService({ dataDir: directory, env: {}, log: LOG });
  const { credential, publicKey, app } = service;
  bff = createTestBff({
    service: app,
    env: {
      APPLICATION_CREDENTIAL: credential,
      APPLICATION_PUBLIC_KEY: publicKey,
      IDENTITY_KEYS: site.keySet,
    },
  });
  subscribe("net.client.socket", count);
});
afterAll(async () => {
  unsubscribe("net.client.socket", count);
  bff.bff.drain();
  await bff.bff.close();
  await service.close();
  rmSync(directory, { recursive: true, force: true });
});

/** A new customer who puts `text` into every field; returns what the log then has of their message. */
async function giveEverywhere(text: string, n: number): Promise<string> {
  const env = { incoming: { socket: { remoteAddress: `10.9.${n >> 8}.${n & 255}` } } };
  const send = (path: string, body: object, token?: string) =>
    bff.request("POST", path, {
      headers: {
        "content-type": "application/json",
        "accept-language": /^[\x20-\x7e]*$/.test(text) ? text : "en",
        "x-forwarded-host": /^[\x21-\x7e]*$/.test(text) ? text : "x",
      },
      body: JSON.stringify(body),
      token,
      env,
    });
  const claims = { sub: `given-${n}`, name: text.slice(0, 100), traits: { plan: text.slice(0, 100) } };
  const page = { url: URL.canParse(text) ? text : "http://localhost:3000/", title: text, referrer: text };
  const started = await send("/api/session", {
    token: site.token({ claims }),
    page,
    traits: { webhook: text.slice(0, 100) },
  });
  const statuses = [started.status];
  const { token } = (started.ok ? await started.json() : await (await send("/api/session", {})).json()) as {
    token: string;
  };
  const sent = await send("/api/conversation", { clientMessageId: "k1", body: text }, token);
  const handoff = await send("/api/conversation/handoff", { reason: text, summary: text }, token);
  statuses.push(sent.status, handoff.status);
  // A name and a trait have one line: a signed one of two lines is refused, and its customer stays anonymous.
  expect(statuses).toEqual([text.includes("\n") ? 401 : 201, 201, 201]);
  const resumed = (await (await send("/api/session", {}, token)).json()) as {
    conversation: ConversationSnapshot;
  };
  return resumed.conversation.messages.find(({ role }) => role === "customer")?.body ?? "";
}

describe("a URL that somebody enters is only text", () => {
  it("nothing is fetched, in whichever field it is: the process opens no connection", async () => {
    const listener = await startCanaryListener();
    const port = new URL(listener.url).port;
    const given = [
      listener.url,
      `http://[::ffff:127.0.0.1]:${port}/`,
      `http://0x7f.1:${port}/`,
      `http://2130706433:${port}/`,
      "http://169.254.169.254/latest/meta-data/",
      "https://localhost:1/redirect?to=http://127.0.0.1/",
      "file:///etc/passwd",
      `![x](${listener.url})`,
      `<img src="${listener.url}">`,
      `Please read ${listener.url} and tell me`,
    ];
    opened = 0;
    for (const [n, text] of given.entries()) expect(await giveEverywhere(text, n)).toBe(text);
    expect(opened).toBe(0);
    expect(listener.calls).toEqual([]);

    // Control: a fetched URL is detected, in both ways.
    await (await fetch(listener.url)).text();
    expect(opened).toBeGreaterThan(0);
    expect(listener.calls).toEqual(["GET /canary"]);
    await listener.close();
  });
});

describe("text from outside is only text to the server too", () => {
  it("queries, templates, headers and paths in every field: no failure, and the same text is returned", async () => {
    const given = [
      "' OR '1'='1",
      "'; DROP TABLE messages; --",
      '" UNION SELECT credential FROM workspaces --',
      "%' AND 1=randomblob(1000000000) --",
      'x" OR rowid > 0 --',
      'NEAR("a" "b", 3) OR a*',
      "title:* AND ^x",
      "{{7*7}} <%= 7*7 %> #{7*7} $(7*7)",
      "{{constructor.constructor('return process')()}}",
      '{"$gt": ""}',
      "__proto__[x]=1&constructor=2",
      '"><script>alert(1)</script>',
      "a\nSet-Cookie: x=1",
      "../../../../etc/passwd",
      "$(touch /tmp/x) `id` | cat",
      "%00%0d%0aX: y",
    ];
    for (const [n, text] of given.entries()) expect(await giveEverywhere(text, 1000 + n)).toBe(text);
    // All tables still exist: an earlier conversation and a new one are read unchanged.
    expect(await giveEverywhere("How long does delivery take?", 2000)).toBe("How long does delivery take?");
    const answered = bff.answered.join("\n");
    expect(answered).not.toMatch(/set-cookie/);
    expect(answered).not.toContain("SQLITE");
  });
});
