import { describe, expect, test } from "vitest";
import { createByteQueue } from "./byte-queue.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function open() {
  let ends = 0;
  const queue = createByteQueue(() => {
    ends += 1;
  });
  return { queue, reader: queue.stream.getReader(), ends: () => ends };
}

async function restOf(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += new TextDecoder().decode(value);
  }
}

describe("a byte queue", () => {
  test("returns pushed chunks in order, before and during a read", async () => {
    const { queue, reader, ends } = open();
    queue.push(bytes("a"));
    queue.push(bytes("b"));
    expect(new TextDecoder().decode((await reader.read()).value)).toBe("ab");
    const next = reader.read();
    queue.push(bytes("c"));
    expect(new TextDecoder().decode((await next).value)).toBe("c");
    queue.push(bytes("d"));
    queue.end();
    queue.push(bytes("late"));
    expect(await restOf(reader)).toBe("d");
    expect(ends()).toBe(1);
  });

  test("ends once, also for a reader that is waiting or has left", async () => {
    const waiting = open();
    const next = waiting.reader.read();
    waiting.queue.end();
    waiting.queue.end();
    expect((await next).done).toBe(true);
    expect(waiting.ends()).toBe(1);
    const gone = open();
    await gone.reader.cancel();
    gone.queue.push(bytes("x"));
    gone.queue.end();
    expect(gone.ends()).toBe(1);
  });

  test("disconnects a reader with a backlog of 256 kB", async () => {
    const { queue, reader, ends } = open();
    for (let chunk = 0; chunk < 300; chunk += 1) queue.push(new Uint8Array(1024));
    expect(ends()).toBe(1);
    expect((await reader.read()).done).toBe(true);
  });

  test("makes a replay wait until its reader has caught up", async () => {
    const { queue, reader } = open();
    expect(queue.calm()).toBeUndefined();
    queue.push(new Uint8Array(100_000));
    const calm = queue.calm();
    expect(calm).toBeInstanceOf(Promise);
    await reader.read();
    await calm;
    expect(queue.calm()).toBeUndefined();
  });

  test("a waiting replay continues when its reader has left", async () => {
    const { queue, reader } = open();
    queue.push(new Uint8Array(100_000));
    const calm = queue.calm();
    await reader.cancel();
    await calm;
  });
});
