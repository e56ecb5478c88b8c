import { spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const AGENT = fileURLToPath(new URL("../examples/agent-http/agent.mjs", import.meta.url));
const KEY = Buffer.alloc(24, "a");

test("the agent of the example answers after somebody broke off a request", async () => {
  const env = { PATH: process.env["PATH"], AGENT_HTTP_SECRET: `whsec_${KEY.toString("base64")}`, PORT: "0" };
  const child = spawn(process.execPath, [AGENT], { env, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill());
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const url = new URL(line.toString().trim());

  const socket = connect(Number(url.port), url.hostname);
  socket.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n");
  // The agent is reading the body now.
  await once(socket, "data");
  socket.destroy();

  const body = JSON.stringify({ messages: [{ content: "Hello" }], forwardedProps: {} });
  const time = String(Math.floor(Date.now() / 1000));
  const signature = createHmac("sha256", KEY).update(`id.${time}.${body}`).digest("base64");
  const headers = { "webhook-id": "id", "webhook-timestamp": time, "webhook-signature": `v1,${signature}` };
  const ask = async () => (await fetch(url, { method: "POST", headers, body })).text();
  // The broken request may end after the first of them.
  for (let nth = 0; nth < 3; nth += 1) expect(await ask()).toContain("response.completed");
});
