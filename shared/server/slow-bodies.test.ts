import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";
import { sendMessage, uploadAttachment } from "../api/conversation.ts";
import { listenOnFreePort } from "../testing/listen.ts";
import { attachments } from "../v1/attachments.ts";
import { cutSlowBodies } from "./slow-bodies.ts";

test("a body that takes 15 s is cut off, and an upload is not", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const server = createServer((request, response) => {
    request.resume().once("end", () => response.end());
  });
  cutSlowBodies(server);
  const { port, close } = await listenOnFreePort(server);
  onTestFinished(close);

  const begin = async ({ method, path }: { readonly method: string; readonly path: string }) => {
    const socket = connect(port, "127.0.0.1");
    const arrived = once(server, "request");
    socket.write(`${method} ${path.replace(":id", "c1")} HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\n`);
    socket.write("connection: close\r\n\r\nhal");
    await arrived;
    return { socket, said: text(socket).catch(() => "") };
  };
  const message = await begin(sendMessage);
  const uploads = [await begin(uploadAttachment), await begin(attachments)];
  vi.advanceTimersByTime(15_000);
  expect(await message.said).toBe("");
  for (const { socket, said } of uploads) {
    socket.write("f");
    expect(await said).toContain("200 OK");
  }
});
