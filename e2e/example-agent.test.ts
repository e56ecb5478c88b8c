import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { startExampleAgent } from "../service/agents/http/testing/example-agent.ts";
import { signStandardWebhook } from "../service/http/standard-webhook.ts";

const KEY = Buffer.alloc(24, "a");
const NEXT_KEY = Buffer.alloc(24, "b");
const secretOf = (key: Buffer) => `whsec_${key.toString("base64")}`;

async function startAgent(secret: string): Promise<URL> {
  const agent = await startExampleAgent(secret);
  onTestFinished(() => agent.stop());
  return new URL(agent.url);
}

function ask(url: URL, key: Buffer): Promise<Response> {
  const body = JSON.stringify({ messages: [{ content: "Hello" }], forwardedProps: {} });
  const headers = signStandardWebhook({ id: "id", body }, key, Date.now());
  return fetch(url, { method: "POST", headers, body });
}

test("the agent of the example answers after somebody broke off a request", async () => {
  const url = await startAgent(secretOf(KEY));

  const socket = connect(Number(url.port), url.hostname);
  socket.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n");
  // The agent is reading the body now.
  await once(socket, "data");
  socket.destroy();

  // The broken request may end after the first of them.
  for (let nth = 0; nth < 3; nth += 1)
    expect(await (await ask(url, KEY)).text()).toContain("response.completed");
});

test("the agent of the example accepts each of two secrets, and no other", async () => {
  const url = await startAgent(`${secretOf(KEY)} ${secretOf(NEXT_KEY)}`);
  for (const key of [KEY, NEXT_KEY]) expect((await ask(url, key)).status).toBe(200);
  expect((await ask(url, Buffer.alloc(24, "c"))).status).toBe(401);
});
