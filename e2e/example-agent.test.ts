import { spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const AGENT = fileURLToPath(new URL("../examples/agent-http/agent.mjs", import.meta.url));
const KEY = Buffer.alloc(24, "a");
const NEXT_KEY = Buffer.alloc(24, "b");
const secretOf = (key: Buffer) => `whsec_${key.toString("base64")}`;

async function startAgent(secret: string): Promise<URL> {
  const env = { PATH: process.env["PATH"], AGENT_HTTP_SECRET: secret, PORT: "0" };
  const child = spawn(process.execPath, [AGENT], { env, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill());
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return new URL(line.toString().trim());
}

function ask(url: URL, key: Buffer): Promise<Response> {
  const body = JSON.stringify({ messages: [{ content: "Hello" }], forwardedProps: {} });
  const time = String(Math.floor(Date.now() / 1000));
  const signature = createHmac("sha256", key).update(`id.${time}.${body}`).digest("base64");
  const headers = { "webhook-id": "id", "webhook-timestamp": time, "webhook-signature": `v1,${signature}` };
  return fetch(url, { method: "POST", headers, body });
}

test("the agent of the example answers after somebody broke off a request, and refuses a wrong secret", async () => {
  const url = await startAgent(secretOf(KEY));

  const socket = connect(Number(url.port), url.hostname);
  socket.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n");
  // The agent is reading the body now.
  await once(socket, "data");
  socket.destroy();

  // The broken request may end after the first of them.
  for (let nth = 0; nth < 3; nth += 1)
    expect(await (await ask(url, KEY)).text()).toContain("response.completed");
  expect((await ask(url, NEXT_KEY)).status).toBe(401);
});

test("the agent of the example accepts two secrets while they are rotated", async () => {
  const url = await startAgent(`${secretOf(KEY)} ${secretOf(NEXT_KEY)}`);
  for (const key of [KEY, NEXT_KEY]) expect((await ask(url, key)).status).toBe(200);
  expect((await ask(url, Buffer.alloc(24, "c"))).status).toBe(401);
});
