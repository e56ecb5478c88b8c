import { describe, expect, test } from "vitest";
import { MAX_HOOK_BYTES, readRaw } from "./raw-request.ts";

const requestOf = (body: BodyInit) =>
  new Request("http://service.test/hooks", { method: "POST", body, duplex: "half" } as RequestInit);

describe("the body of a webhook call", () => {
  test("is the exact bytes, including invalid UTF-8 and a byte order mark", async () => {
    const bytes = Uint8Array.from([0xef, 0xbb, 0xbf, 0xff, 0x00, 0x0d, 0x0a]);
    expect(Buffer.from((await readRaw(requestOf(bytes))).body)).toEqual(Buffer.from(bytes));
  });

  test("may have exactly its limit, and not one byte more", async () => {
    const full = new Uint8Array(MAX_HOOK_BYTES);
    expect((await readRaw(requestOf(full))).body.length).toBe(MAX_HOOK_BYTES);
    const over = readRaw(requestOf(new Uint8Array(MAX_HOOK_BYTES + 1)));
    await expect(over).rejects.toMatchObject({
      code: "body_too_large",
      message: expect.stringContaining("512 kB"),
    });
  });

  test("is given up when it does not end in time", async () => {
    const patience = new AbortController();
    const endless = new ReadableStream({ start: (control) => control.enqueue(new Uint8Array(8)) });
    const reading = readRaw(requestOf(endless), patience.signal);
    patience.abort();
    await expect(reading).rejects.toMatchObject({ code: "bad_request" });
  });

  test("is refused when it breaks off", async () => {
    const broken = new ReadableStream({ start: (control) => control.error(new Error("reset")) });
    await expect(readRaw(requestOf(broken))).rejects.toMatchObject({ code: "bad_request" });
  });
});
