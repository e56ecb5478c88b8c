import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { MAX_ATTACHMENT_BYTES } from "../../shared/limits.ts";
import { dropUpload } from "./upload.ts";

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
  const request = new Request("http://localhost/", { method: "POST", body, duplex: "half" } as RequestInit);
  return { request, read: () => read };
}

describe("GATE5 a refused file", () => {
  it("is read to its end, and others are answered between its pieces", async () => {
    const { request, read } = fileOf(20, 64 * 1024);
    const dropped = dropUpload(request);
    let rounds = 0;
    for (; read() < 20; rounds += 1) await setImmediate();
    await dropped;
    expect(rounds).toBeGreaterThanOrEqual(19);
  });

  it("is left where it is larger than files are", async () => {
    const { request, read } = fileOf(100, MAX_ATTACHMENT_BYTES / 4);
    await dropUpload(request);
    expect(read()).toBe(5);
  });
});
