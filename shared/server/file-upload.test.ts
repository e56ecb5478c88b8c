import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Failure } from "../errors.ts";
import { MAX_ATTACHMENT_BYTES } from "../limits.ts";
import { receiveFile } from "./file-upload.ts";

/** A file of `count` pieces that are all there already; `read` counts those that were read. */
function fileOf(count: number, bytes: number) {
  let read = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        read += 1;
        if (read > count) controller.close();
        else controller.enqueue(new Uint8Array(bytes));
      },
    },
    { highWaterMark: 0 },
  );
  return { body, read: () => read };
}

const refuse = () => Promise.reject(new Failure("rate_limited"));

describe("GATE5 a refused file", () => {
  it("is read to its end, and others are answered between its pieces", async () => {
    const { body, read } = fileOf(20, 64 * 1024);
    const refused = expect(receiveFile(body, refuse)).rejects.toMatchObject({ code: "rate_limited" });
    let rounds = 0;
    for (; read() < 20; rounds += 1) await setImmediate();
    await refused;
    expect(rounds).toBeGreaterThanOrEqual(19);
  });

  it("is read to its end also where its reader stopped after the first piece", async () => {
    const { body, read } = fileOf(20, 100);
    const refused = receiveFile(body, async (chunks) => {
      for await (const _ of chunks) throw new Failure("conversation_ended");
    });
    await expect(refused).rejects.toMatchObject({ code: "conversation_ended" });
    expect(read()).toBe(21);
  });

  it("is left where it is larger than files are", async () => {
    const { body, read } = fileOf(100, MAX_ATTACHMENT_BYTES / 4);
    await expect(receiveFile(body, refuse)).rejects.toMatchObject({ code: "rate_limited" });
    expect(read()).toBe(5);
  });
});
