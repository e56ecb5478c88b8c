import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { parseConfig } from "../../bff/config.ts";
import type { Kind } from "../../service/testing/fake/kinds.ts";
import type { ChatEvent } from "../../shared/event.ts";
import type { V1Id } from "../../shared/v1/contract.ts";
import { type Door, openDoor } from "./door.test-kit.ts";
import { type MockUpstream, startMockUpstream } from "./mock.ts";

const KINDS = ["full", "turns", "seven", "provider-only"] as const;
const DOCUMENT = readFileSync(new URL("../../docs/configuration.md", import.meta.url), "utf8");

/** Files that the examples name, as on an operator's machine. */
const FILES: Readonly<Record<string, string>> = {
  "/run/secrets/application_credential": "app-credential-canary-from-a-file\n",
  "/run/secrets/handoff_secret": "handoff-secret-canary-from-a-file\n",
};

/** The variables of one example, exactly as printed in the document. */
function exampleOf(kind: Kind): Record<string, string> {
  const block = new RegExp(`\`\`\`sh\\n# kind: ${kind}\\n([\\s\\S]*?)\`\`\``).exec(DOCUMENT)?.[1] ?? "";
  return Object.fromEntries(
    block
      .trim()
      .split("\n")
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
}

const running: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of running.splice(0).toReversed()) await one.close();
});

/** A service of that kind, configured like the example's BFF, and that BFF. */
async function open(kind: Kind): Promise<{ mock: MockUpstream; door: Door }> {
  const config = parseConfig(exampleOf(kind), (path) => FILES[path] ?? "");
  const { schemes, publicKeyHeader, handoffSecretHeader, publicKey = "" } = config.credentials;
  const mock = await startMockUpstream({
    kind,
    secrets: {
      credential: "app-credential-canary-from-a-file",
      publicKey,
      handoffSecret: "handoff-secret-canary-from-a-file",
    },
    publicKeyHeader,
    handoffSecretHeader,
    auth: schemes,
  });
  const door = await openDoor(mock, { config });
  running.push(mock, door);
  return { mock, door };
}

const MESSAGE = { clientMessageId: "k1", body: "How long does delivery take?" };

describe("docs/configuration.md", () => {
  it.each(KINDS)("%s: the example works as printed: session, message, hand-off, end", async (kind) => {
    const { mock, door } = await open(kind);
    const session = await door.call("POST", "/api/session", { body: {} });
    expect(session.status).toBe(201);
    const { token, route } = session.json as { token: string; route: object };
    const target = kind === "provider-only" ? "assistant" : "chat";
    expect(route).toMatchObject({ channel: target, agentProvider: "assistant" });
    const post = (path: string, body: object) => door.call("POST", path, { token, body });

    expect((await post("/api/conversation", MESSAGE)).json).toMatchObject({
      message: { body: MESSAGE.body },
    });
    const second = await post("/api/conversation/messages", {
      clientMessageId: "k2",
      body: "And to islands?",
    });
    const carries = kind === "full" || kind === "turns";
    expect(second.status).toBe(carries ? 201 : 409);
    if (!carries) expect(second.json).toMatchObject({ code: "not_carried" });
    expect((await post("/api/conversation/handoff", { reason: "Please" })).json).toMatchObject({
      handoff: { status: "requested" },
    });
    const end = await door.call("DELETE", "/api/conversation", { token });
    expect(end.json).toMatchObject({ conversation: { status: "ended" } });

    expect(mock.violations).toEqual([]);
    expect(mock.canaryCalls).toEqual([]);
    const resumed = await post("/api/session", {});
    const { conversation } = resumed.json as { conversation: { status: string; messages: ChatEvent[] } };
    expect(conversation.status).toBe("ended");
    expect(conversation.messages.length).toBeGreaterThanOrEqual(carries ? 3 : 1);
    expect(door.logged()).not.toContain("canary");
  });

  it("has one example for each kind, with nothing but variables in it", () => {
    for (const kind of KINDS) {
      const names = Object.keys(exampleOf(kind));
      expect(names.length, kind).toBeGreaterThan(5);
      for (const name of names) expect(DOCUMENT).toMatch(new RegExp(`\`${name.replace(/_FILE$/, "")}\``));
    }
  });

  it("with another header name than the service's the same example fails (control)", async () => {
    const { mock, door } = await open("turns");
    const config = parseConfig(
      { ...exampleOf("turns"), PUBLIC_KEY_HEADER: "x-other" },
      (path) => FILES[path] ?? "",
    );
    const wrong = await openDoor(mock, { config });
    running.push(wrong);
    expect((await door.call("POST", "/api/session", { body: {} })).status).toBe(201);
    expect((await wrong.call("POST", "/api/session", { body: {} })).status).toBe(502);
    expect(mock.violations).not.toEqual([]);
  });
});

describe("the calls that each kind gets", () => {
  const SEVEN: readonly V1Id[] = [
    "identify",
    "sessions",
    "capabilities",
    "supportSelection",
    "conversations",
    "handoffs",
    "endConversation",
  ];
  it.each([
    ["seven", SEVEN],
    ["provider-only", [...SEVEN.slice(0, 4), "providerSelection", ...SEVEN.slice(4)]],
    ["turns", [...SEVEN.slice(0, 5), "turns", ...SEVEN.slice(5)]],
  ] as const)("%s: no address but those that it has", async (kind, expected) => {
    const { mock, door } = await open(kind);
    const { token } = (await door.call("POST", "/api/session", { body: {} })).json as { token: string };
    await door.call("POST", "/api/conversation", { token, body: MESSAGE });
    await door.call("POST", "/api/conversation/handoff", { token, body: {} });
    await door.call("DELETE", "/api/conversation", { token });
    expect(mock.requests.map(({ endpoint }) => endpoint)).toEqual(expected);
  });
});
