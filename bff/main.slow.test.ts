import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { changed, createFakeService, json } from "../service/testing/fake/fake-service.ts";
import { startConversation } from "../shared/api/conversation.ts";
import { SessionState } from "../shared/api/session.ts";
import { systemClock } from "../shared/server/clock.ts";
import { listen } from "./server.ts";
import { freePort } from "./testing/free-port.ts";

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));

/** A remote service that selects every requested agent, and leaves a conversation's route to the selection. */
async function openService() {
  const service = createFakeService({ credential: "sk_test" });
  service.answer("supportSelection", ({ body }) => {
    const { agentProvider = "default" } = body as { agentProvider?: string };
    return json({ channel: "web", agentProvider, reason: "as asked for", ttlSeconds: 300 });
  });
  service.answer("conversations", (_, real) =>
    changed<{ conversation: object }>(real, ({ conversation }) => ({
      conversation: { ...conversation, route: undefined },
    })),
  );
  const port = await freePort();
  const listening = await listen({ app: service, host: "127.0.0.1", port, clock: systemClock });
  onTestFinished(() => listening.stop());
  return `http://127.0.0.1:${port}`;
}

interface Run {
  readonly child: ChildProcess;
  until(text: string): Promise<void>;
}

/** Starts the BFF. `until` waits for a text in its output, from where the last wait ended. */
function run(env: Record<string, string>): Run {
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  let read = 0;
  const exited = once(child, "close").then(() => {
    throw new Error(`The process ended: ${output}`);
  });
  exited.catch(() => undefined);
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  return {
    child,
    async until(text) {
      while (!output.includes(text, read)) await Promise.race([once(child.stdout, "data"), exited]);
      read = output.indexOf(text, read) + text.length;
    },
  };
}

const rules = (agentProvider: string) => JSON.stringify([{ match: { locales: ["de"] }, agentProvider }]);

describe("the BFF's process", () => {
  test("SIGHUP reloads the routing for new conversations, and a faulty one changes nothing; compiled code is stored in the data folder", async () => {
    const shared = mkdtempSync(join(tmpdir(), "parley-shared-"));
    onTestFinished(() => rmSync(shared, { recursive: true, force: true }));
    const folder = mkdtempSync(join(tmpdir(), "parley-hang-up-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const ROUTING = join(folder, "rules.json");
    writeFileSync(ROUTING, rules("one"));
    const port = await freePort();
    const bff = run({
      BASE_URL: await openService(),
      APPLICATION_CREDENTIAL: "sk_test",
      DATA_DIR: folder,
      TMPDIR: shared,
      PORT: String(port),
      ROUTING,
    });
    await bff.until("Parley is ready");
    const reload = async (text: string, said: string) => {
      writeFileSync(ROUTING, text);
      bff.child.kill("SIGHUP");
      await bff.until(said);
    };
    const call = (method: string, path: string, token?: string, body: object = {}) =>
      fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: {
          origin: `http://127.0.0.1:${port}`,
          "content-type": "application/json",
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        ...(method === "POST" ? { body: JSON.stringify(body) } : {}),
      }).then((answer) => answer.json() as Promise<unknown>);
    const begin = async (token?: string) =>
      SessionState.parse(await call("POST", "/api/session", token, { locale: "de" }));
    const start = async (token: string) => {
      const message = { clientMessageId: "k", body: "Hello" };
      const answer = startConversation.answer.parse(await call("POST", "/api/conversation", token, message));
      return answer.conversation.route?.agentProvider;
    };

    const { token } = await begin();
    expect(await start(token)).toBe("one");

    await reload(rules("two"), "the routing was read again");
    expect(await start(token)).toBe("one");
    expect((await begin(token)).route.agentProvider).toBe("one");
    const other = await begin();
    expect(await start(other.token)).toBe("two");
    await call("DELETE", "/api/conversation", token);
    expect(await start(token)).toBe("two");

    await reload('[{"match": {}, "agent": "three"}]', "the routing is faulty");
    expect((await begin()).route.agentProvider).toBe("two");

    await reload(rules("four"), "the routing was read again");
    expect((await begin()).route.agentProvider).toBe("four");

    bff.child.kill("SIGTERM");
    const [exitCode] = (await once(bff.child, "close")) as [number | null];
    expect(exitCode).toBe(0);
    // Another user of the machine could plant code in the shared temporary folder.
    expect(readdirSync(shared)).toEqual([]);
    expect(readdirSync(join(folder, "compile-cache"))).toHaveLength(1);
  });
});
