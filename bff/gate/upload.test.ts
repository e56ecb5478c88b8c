import { describe, expect, test } from "vitest";
import { createFakeService, json } from "../../service/testing/fake/fake-service.ts";
import { png } from "../../service/testing/files.ts";
import { MAX_ATTACHMENT_BYTES } from "../../shared/limits.ts";
import { createTestBff, problemOf } from "../testing/test-bff.ts";

describe("GATE5 a refused file", () => {
  test("is read to its end, so that its sender gets the reason and not a broken connection", async () => {
    const service = createFakeService();
    const bff = createTestBff({ service });
    const { token } = await bff.startConversation();
    const refused = async (first: Uint8Array, by: string, headers: Record<string, string> = {}) => {
      const pieces = [first, ...Array.from({ length: 20 }, () => new Uint8Array(10))].values();
      const body = new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            const { value } = pieces.next();
            if (value) controller.enqueue(value);
            else controller.close();
          },
        },
        { highWaterMark: 0 },
      );
      const problem = await problemOf(
        await bff.request("POST", "/api/conversation/attachments", {
          token: by,
          headers: { "idempotency-key": "file-1", "x-file-name": "a.png", ...headers },
          body,
        }),
      );
      return [problem, pieces.next().done];
    };
    expect(await refused(png(), "nobody")).toEqual(["401 unauthenticated", true]);
    expect(await refused(png(), token, { "idempotency-key": "" })).toEqual(["400 bad_request", true]);
    expect(await refused(png(), token, { "x-file-name": "%" })).toEqual(["400 bad_request", true]);
    expect(await refused(Buffer.from("<svg onload=alert(1)>"), token)).toEqual([
      "415 file_not_allowed",
      true,
    ]);
    service.answer("attachments", () => json({ message: "gone" }, 404));
    expect(await refused(png(), token)).toEqual(["502 not_confirmed", true]);
    const tooLarge = { "content-length": String(MAX_ATTACHMENT_BYTES + 1) };
    expect(await refused(png(), token, tooLarge), "it can't be read whole").toEqual([
      "413 file_too_large",
      false,
    ]);
  });
});
