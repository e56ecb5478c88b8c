import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { gif, inPieces, jpeg, pdf, png, SECRET, webp } from "../testing/files.ts";
import { BrokenFile } from "./byte-reader.ts";
import { stripFile } from "./strip-file.ts";

async function strip(file: Uint8Array, size = 65_536): Promise<{ type: string; kept: Buffer }> {
  const { type, bytes } = await stripFile(inPieces(file, size));
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  return { type, kept: Buffer.concat(parts) };
}

const KINDS = {
  "image/png": png(),
  "image/jpeg": jpeg(),
  "image/gif": gif(),
  "image/webp": webp(),
  "application/pdf": pdf(),
} as const;
const PICTURES = Object.entries(KINDS).filter(([type]) => type.startsWith("image/"));

describe("the stored part of a file", () => {
  test.each(PICTURES)("ATT2 only the picture of %s is stored, no maker data", async (type, file) => {
    const { type: told, kept } = await strip(file);
    expect(told).toBe(type);
    expect(Buffer.from(file).includes(SECRET)).toBe(true);
    expect(kept.includes(SECRET)).toBe(false);
    // The stored file is intact: stripping it again changes nothing (except for the size field that the shelf writes).
    const again = await strip(kept).catch((error: unknown) => error);
    if (type === "image/webp") expect(kept.readUInt32LE(4)).not.toBe(kept.length - 8);
    else expect(again).toEqual({ type, kept });
  });

  test.each(Object.entries(KINDS))("ATT2 %s in pieces of any size gives the same result", async (_, file) => {
    const whole = await strip(file);
    for (const size of [1, 2, 3, 7, 13]) expect(await strip(file, size)).toEqual(whole);
  });

  test.each([
    ["full", 255, 400, 2],
    ["tiny", 1, 5_000, 11],
  ])("a GIF of %s blocks is stored in few pieces", async (_, blockBytes, count, mostPieces) => {
    const start = Buffer.from(gif());
    const end = start.length - 5;
    const block = Buffer.from([blockBytes, ...Array<number>(blockBytes).fill(7)]);
    const blocks = Buffer.concat(Array.from({ length: count }, () => block));
    const file = Buffer.concat([start.subarray(0, end), blocks, start.subarray(end)]);
    const { bytes } = await stripFile(inPieces(file, 65_536));
    const pieces: Uint8Array[] = [];
    for await (const piece of bytes) pieces.push(piece);
    expect(Buffer.concat(pieces).includes(blocks)).toBe(true);
    expect(pieces.length).toBeLessThanOrEqual(mostPieces);
  });

  test.each([
    ["png", (behind: string) => png(2, 2, behind)],
    ["gif", gif],
    ["webp", webp],
  ] as const)(
    "ATT2 what stands behind the end of a %s goes: a polyglot is a picture alone",
    async (_, make) => {
      const behind = `<script>${SECRET}</script>`;
      const { kept } = await strip(make(behind));
      expect(kept.includes("<script>")).toBe(false);
    },
  );

  test("ATT2 a JPEG keeps its orientation and its colours, and loses bytes after its end", async () => {
    const { kept } = await strip(jpeg({ way: 6, behind: `<script>${SECRET}</script>` }));
    expect(kept.includes("ICC_PROFILE")).toBe(true);
    expect(kept.subarray(-2)).toEqual(Buffer.from([0xff, 0xd9]));
    const exif = kept.indexOf("Exif\0\0");
    expect(kept.readUInt16BE(exif + 6 + 18)).toBe(6);
    expect((await strip(jpeg({ way: 1 }))).kept.includes("Exif")).toBe(false);
  });

  test("ATT1 pictures with too many pixels are refused before anything is decoded", async () => {
    await expect(strip(png(30_000, 30_000))).rejects.toThrow(BrokenFile);
    await expect(strip(jpeg({ width: 30_000, height: 30_000 }))).rejects.toThrow(BrokenFile);
    await expect(strip(png(0, 4))).rejects.toThrow(BrokenFile);
  });

  test("ATT1 a GIF whose frame is larger than its header claims is refused, because viewers use the frame", async () => {
    const frame = (place: readonly number[]) => {
      const file = Buffer.from(gif());
      file.set(place, file.indexOf(Buffer.from([0x2c, 0, 0, 0, 0, 2, 0, 2, 0])) + 1);
      return file;
    };
    const [most, none] = [
      [0xff, 0xff],
      [0, 0],
    ];
    await expect(strip(frame([...none, ...none, ...most, ...most]))).rejects.toThrow(BrokenFile);
    await expect(strip(frame([...most, ...most, 2, 0, 2, 0]))).rejects.toThrow(BrokenFile);
    await expect(strip(frame([...none, ...none, 9, 0, 9, 0]))).resolves.toMatchObject({ type: "image/gif" });
  });

  test("ATT1 a JPEG with very many scans is refused, because each costs a viewer the whole picture", async () => {
    const scans = (count: number) => {
      const file = Buffer.from(jpeg());
      const at = file.indexOf(Buffer.from([0xff, 0xda]));
      const scan = Buffer.from([0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 1]);
      return Buffer.concat([
        file.subarray(0, at),
        ...Array.from({ length: count }, () => scan),
        file.subarray(at),
      ]);
    };
    await expect(strip(scans(20))).resolves.toMatchObject({ type: "image/jpeg" });
    await expect(strip(scans(500))).rejects.toThrow(BrokenFile);
  });

  /** The file with these bytes before `mark`. */
  const filled = (file: Uint8Array, mark: readonly number[], filling: Uint8Array) => {
    const at = Buffer.from(file).indexOf(Buffer.from(mark));
    return Buffer.concat([file.subarray(0, at), filling, file.subarray(at)]);
  };

  test.each([
    ["GIF", (count: number) => filled(gif(), [0x3b], Buffer.alloc(count * 3, Uint8Array.of(0x21, 0xfe, 0)))],
    ["JPEG", (count: number) => filled(jpeg(), [0xff, 0xda], Buffer.alloc(count, 0xff))],
  ])(
    "ATT1 a %s of very many tiny parts is refused, because each costs the service as much as a large one",
    async (_, make) => {
      await expect(strip(make(5_000))).resolves.toBeDefined();
      await expect(strip(make(300_000))).rejects.toThrow("too many parts");
    },
  );

  test("ATT1 others are served while a file of tiny parts is read, though its bytes are all there", async () => {
    let served = 0;
    const serve = () => {
      served += 1;
      next = setImmediate(serve);
    };
    let next = setImmediate(serve);
    const parts = Buffer.alloc(30_000, Uint8Array.of(0x21, 0xfe, 0));
    await strip(filled(gif(), [0x3b], parts));
    clearImmediate(next);
    expect(served).toBeGreaterThan(20);
  });

  test.each([
    "<svg onload=alert(1)>",
    "<!doctype html><script>",
    "MZ\x90\0",
    "PK\x03\x04",
    "",
    "%PDF",
    "BM...",
    "#!/bin/sh",
  ])("ATT1 %j is not an accepted type", async (text) => {
    await expect(strip(Buffer.from(text, "latin1"))).rejects.toThrow(BrokenFile);
  });

  test.each(Object.entries(KINDS))("ATT1 %s cut anywhere before its end is refused", async (type, file) => {
    // A PDF may contain two end markers; a JPEG's padding before the end is not part of it.
    const end = type === "application/pdf" ? Buffer.from(file).indexOf("%%EOF") + 4 : file.length - 1;
    for (let length = 0; length <= end; length += 1) {
      await expect(strip(file.subarray(0, length))).rejects.toThrow(BrokenFile);
    }
  });

  test("ATT1 a file with any byte changed is stored whole or refused", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.values(KINDS)),
        fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 64 }),
        async (file, changes, size) => {
          const spoiled = Uint8Array.from(file);
          for (const [at, value] of changes) spoiled[at % spoiled.length] = value;
          const outcome = await strip(spoiled, size).catch((error: unknown) => error);
          if (outcome instanceof Error) expect(outcome).toBeInstanceOf(BrokenFile);
          else expect((outcome as { kept: Buffer }).kept.length).toBeLessThanOrEqual(spoiled.length + 36);
        },
      ),
      { numRuns: 600 },
    );
  });
});
