import { describe, expect, onTestFinished, test } from "vitest";
import { SessionState } from "../shared/api/session.ts";
import { newFolder, startBff } from "./testing/bff-process.ts";
import { callAs } from "./testing/call-as.ts";
import { freePort } from "./testing/free-port.ts";
import { type StartProxy, startBufferingProxy, startNginx } from "./testing/proxies.ts";
import { followAsPanel, type SeenStream } from "./testing/reconnecting-client.ts";

const PROXIES: [name: string, start: StartProxy][] = [
  ["a proxy of our own that keeps answers back", startBufferingProxy],
  ["nginx as it comes", startNginx],
];
const ORIGIN = "https://shop.example.com";

/** Follows one conversation and waits for its events. */
function follow(url: string, token: string, signal: AbortSignal) {
  let changed = (): void => undefined;
  const { seen } = followAsPanel({ url, token, origin: ORIGIN, signal, onChange: () => changed() });
  const until = async (holds: (seen: SeenStream) => boolean) => {
    while (!holds(seen)) {
      await new Promise<void>((resolve) => {
        changed = resolve;
      });
    }
  };
  return { seen, until };
}

async function open(startProxy: StartProxy, options: { ignoreHeader: boolean }) {
  const port = await freePort();
  const direct = `http://127.0.0.1:${port}`;
  const bff = startBff({
    PORT: String(port),
    DATA_DIR: newFolder(),
    ALLOWED_ORIGINS: ORIGIN,
    TRUSTED_PROXIES: "1",
  });
  await bff.ready;
  const proxied = await startProxy(direct, options);
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const call = callAs(proxied, ORIGIN);
  const { token } = SessionState.parse(await (await call("POST", "/api/session")).json());
  const send = async (path: string, key: string) => {
    const answer = await call("POST", path, token, { clientMessageId: key, body: "Hello" });
    expect([200, 201]).toContain(answer.status);
    await answer.text();
  };
  await send("/api/conversation", "first");
  // A person was requested, so the agent is silent and each event is one small message.
  await (await call("POST", "/api/conversation/handoff", token)).text();
  return {
    stop: () => void bff.child.kill("SIGTERM"),
    say: (key: string) => send("/api/conversation/messages", key),
    proxied: follow(proxied, token, stopping.signal),
    direct: follow(direct, token, stopping.signal),
  };
}

describe.each(PROXIES)("behind %s", (_, startProxy) => {
  test("OPS6 each event arrives before the next one is sent", async () => {
    const { say, proxied } = await open(startProxy, { ignoreHeader: false });
    for (const key of ["one", "two", "three", "four", "five"]) {
      await say(key);
      await proxied.until(({ keys }) => keys.at(-1) === key);
    }
    expect(proxied.seen.connects).toBe(1);
    expect(proxied.seen.seqs).toEqual(proxied.seen.seqs.map((_seq, index) => index + 1));
  });

  test("a proxy that ignores the header delivers nothing before the stream ends (control)", async () => {
    const { say, stop, proxied, direct } = await open(startProxy, { ignoreHeader: true });
    for (const key of ["one", "two", "three"]) {
      await say(key);
      await direct.until(({ keys }) => keys.at(-1) === key);
    }
    expect(proxied.seen.seqs).toEqual([]);
    stop();
    await proxied.until(({ keys }) => keys.includes("three"));
  });
});
