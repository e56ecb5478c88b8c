import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SILENT_LOG } from "../../shared/server/log.ts";
import { createStreamParser } from "../../shared/server/stream-parser.ts";
import { TURN_STREAM } from "../../shared/v1/limits.ts";
import { createReadEvent } from "./event-source.ts";
import { readTurnEvents } from "./turn-stream.ts";

async function* pieces(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0;
  for (const size of sizes) {
    yield bytes.subarray(from, from + size);
    from += size;
  }
  yield bytes.subarray(from);
}

const deltaOf = (delta: string) => ({ type: "response.delta" as const, messageId: "m", delta });

async function deltasOf(text: string | Uint8Array, sizes: readonly number[] = []) {
  const deltas: string[] = [];
  for await (const event of readTurnEvents(
    pieces(Buffer.from(text), sizes),
    "c",
    createReadEvent(SILENT_LOG),
  ))
    deltas.push(event.type === "response.delta" ? event.delta : event.type);
  return deltas;
}

/** A line of exactly `bytes` bytes. */
function lineOf(bytes: number): string {
  const empty = JSON.stringify(deltaOf("")).length;
  return JSON.stringify(deltaOf("x".repeat(bytes - empty)));
}

describe("the lines of a turn's stream", () => {
  it("are the same however the bytes are split", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: "grapheme", maxLength: 12 }), { maxLength: 8 }),
        fc.array(fc.nat(20), { maxLength: 10 }),
        fc.constantFrom("\n", "\r\n", "\n\n"),
        async (deltas, sizes, end) => {
          const text = deltas.map((one) => JSON.stringify(deltaOf(one)) + end).join("");
          expect(await deltasOf(text, sizes)).toEqual(deltas);
        },
      ),
    );
  });

  it("a last line without a line end counts if the body ended regularly, and what is no event is skipped", async () => {
    const [first, last] = [JSON.stringify(deltaOf("a")), JSON.stringify(deltaOf("b"))];
    expect(await deltasOf(`${first}\n\n{"type":"new"}\n${last}`)).toEqual(["a", "b"]);
  });

  it.each([
    ["a last line that was cut", JSON.stringify(deltaOf("a")).slice(0, -1), []],
    ["a line that is no JSON", `no JSON\n${JSON.stringify(deltaOf("a"))}\n`, []],
    ["a line over its limit", lineOf(TURN_STREAM.lineBytes + 1), [7, 7, 7]],
    ["a line over its limit, whole in one piece", `${lineOf(TURN_STREAM.lineBytes + 1)}\n`, []],
    ["a line of long characters over its limit", `${"é".repeat(TURN_STREAM.lineBytes / 2)}x\n`, []],
    ["a stream over its limit", `${"x".repeat(1023)}\n`.repeat(TURN_STREAM.totalBytes / 1024 + 1), [7, 7]],
    ["bytes that are no UTF-8", new Uint8Array([0x61, 0xc3, 0x0a]), [1]],
  ])("%s is an end without proof", async (_, text, sizes) => {
    await expect(deltasOf(text, sizes)).rejects.toMatchObject({ code: "not_confirmed" });
  });

  it("at the limits it is read (control)", async () => {
    expect(await deltasOf(`${lineOf(TURN_STREAM.lineBytes)}\n`)).toHaveLength(1);
    const whole = `${lineOf(1023)}\n`.repeat(TURN_STREAM.totalBytes / 1024);
    expect(await deltasOf(whole, [7])).toHaveLength(TURN_STREAM.totalBytes / 1024);
  });

  it("what came before a fault in the same piece is read first, and then the fault is thrown", () => {
    const lines: string[] = [];
    const take = (line: string) => [line];
    const parser = createStreamParser(
      "lines",
      { take, end: () => [], malformed: (is) => new Error(is) },
      { lineBytes: 4, totalBytes: 99 },
    );
    const read = () => {
      for (const line of parser.feed(Buffer.from("a\nlonger\n"))) lines.push(line);
    };
    expect(read).toThrow("too long");
    expect(lines).toEqual(["a"]);
  });
});
