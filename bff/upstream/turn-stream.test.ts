import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readLines } from "./turn-stream.ts";

const LIMITS = { lineBytes: 64, totalBytes: 1024 };

async function* pieces(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0;
  for (const size of sizes) {
    yield bytes.subarray(from, from + size);
    from += size;
  }
  yield bytes.subarray(from);
}

async function linesOf(text: string | Uint8Array, sizes: readonly number[] = [], limits = LIMITS) {
  const lines: string[] = [];
  for await (const line of readLines(pieces(Buffer.from(text), sizes), limits)) lines.push(line);
  return lines;
}

describe("lines of a stream", () => {
  it("are the same however the bytes are split", async () => {
    const line = fc.string({ unit: "grapheme", maxLength: 12 }).filter((one) => !/[\r\n]/.test(one));
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 8 }),
        fc.array(fc.nat(20), { maxLength: 10 }),
        fc.constantFrom("\n", "\r\n"),
        async (lines, sizes, end) => {
          const text = lines.map((one) => one + end).join("");
          expect(await linesOf(text, sizes, { lineBytes: 4096, totalBytes: 65_536 })).toEqual(
            lines.filter((one) => one !== ""),
          );
        },
      ),
    );
  });

  it("a last line without a line end counts if the body ended regularly", async () => {
    expect(await linesOf("a\n\nb")).toEqual(["a", "b"]);
  });

  it.each([
    ["a line over its limit", "x".repeat(65)],
    ["a line over its limit, in pieces", `${"x".repeat(65)}\n`],
    ["a stream over its limit", "xxxxxxx\n".repeat(129)],
    ["bytes that are no UTF-8", new Uint8Array([0x61, 0xc3, 0x0a])],
  ])("%s is an end without proof", async (_, text) => {
    await expect(linesOf(text, [7, 7, 7])).rejects.toMatchObject({ code: "not_confirmed" });
  });

  it("at the limits it is read (control)", async () => {
    expect(await linesOf(`${"x".repeat(64)}\n`)).toHaveLength(1);
    expect(await linesOf("xxxxxxx\n".repeat(128))).toHaveLength(128);
  });
});
