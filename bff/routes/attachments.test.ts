import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { startEmbeddedService } from "../../service/embedded.ts";
import { createFakeService, json } from "../../service/testing/fake/fake-service.ts";
import { jpeg, png, SECRET } from "../../service/testing/files.ts";
import { MAX_ATTACHMENT_BYTES } from "../../shared/limits.ts";
import { createTestBff, dataOf, ORIGIN, problemOf, readBlocks, type TestBff } from "../testing/test-bff.ts";
import { createTestClock } from "../testing/test-clock.ts";

const quiet = () => undefined;
const LOG = { debug: quiet, info: quiet, warn: quiet, error: quiet };

async function openWhole(): Promise<TestBff> {
  const dataDir = mkdtempSync(join(tmpdir(), "parley-files-"));
  const service = await startEmbeddedService({ dataDir, env: {}, log: LOG });
  const { credential, publicKey, app } = service;
  const bff = createTestBff({
    service: app,
    env: { APPLICATION_CREDENTIAL: credential, APPLICATION_PUBLIC_KEY: publicKey },
  });
  onTestFinished(async () => {
    bff.bff.drain();
    await service.close();
    await bff.bff.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return bff;
}
function openFake(capabilities?: readonly string[]) {
  const service = createFakeService();
  if (capabilities) service.answer("capabilities", () => json({ capabilities }));
  return { service, bff: createTestBff({ service }) };
}
const upload = (
  bff: TestBff,
  token: string,
  body: BodyInit | undefined,
  headers: Record<string, string> = {},
) =>
  bff.request("POST", "/api/conversation/attachments", {
    token,
    headers: { "idempotency-key": "file-1", "x-file-name": "a.png", ...headers },
    ...(body === undefined ? {} : { body }),
  });

describe("files, from the panel to the service's disk and back", () => {
  test("ATT4 the first file starts the conversation, the message takes it along, and only its customer can read it", async () => {
    const bff = await openWhole();
    const { token } = await bff.startSession();
    const answer = await upload(bff, token, jpeg());
    expect(answer.status).toBe(201);
    const { attachment } = await answer.json();
    expect(attachment).toMatchObject({ name: "a.png.jpg", type: "image/jpeg" });
    const body = { clientMessageId: "k1", body: "", attachments: [attachment.id] };
    const sent = await bff.post("/api/conversation", body, token);
    expect([sent.status, (await sent.json()).message.attachments]).toEqual([201, [attachment]]);
    const state = await (await bff.post("/api/session", {}, token)).json();
    expect(state.capabilities).toEqual(expect.arrayContaining(["attachments", "rating", "read", "erase"]));
    expect(state.conversation.messages[0].attachments).toEqual([attachment]);
    const path = `/api/conversation/attachments/${attachment.id}`;
    const file = await bff.request("GET", path, { token });
    expect(Object.fromEntries(file.headers)).toMatchObject({
      "content-type": "image/jpeg",
      "content-disposition": "attachment",
      "content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      "cache-control": "no-store",
    });
    const bytes = Buffer.from(await file.arrayBuffer());
    expect([bytes.length, bytes.includes(SECRET)]).toEqual([attachment.size, false]);
    const other = await bff.startConversation();
    expect((await bff.request("GET", path, { token: other.token })).status).toBe(404);
    expect((await bff.request("GET", path)).status).toBe(401);
  });

  test("ERASE1 RATE1 SEEN1 rating, reading and erasing reach the service, and an erased conversation is gone", async () => {
    const bff = await openWhole();
    const { token } = await bff.startConversation();
    const rated = await bff.post("/api/conversation/rating", { score: "down", comment: "Hm" }, token);
    expect([rated.status, await rated.json()]).toEqual([200, { rating: { score: "down", comment: "Hm" } }]);
    const read = await bff.post("/api/conversation/read", { seq: 1 }, token);
    expect([read.status, await read.json()]).toEqual([200, { read: { seq: 1 } }]);
    const elsewhere = await bff.post("/api/conversation/read?conversationId=conv_former", { seq: 2 }, token);
    expect(await problemOf(elsewhere)).toMatch("not_confirmed");
    const beyond = await bff.post("/api/conversation/read", { seq: 999 }, token);
    expect(await problemOf(beyond)).toBe("400 bad_request");
    const state = await (await bff.post("/api/session", {}, token)).json();
    expect(state.conversation).toMatchObject({ rating: { score: "down" }, read: { customer: 1 } });
    const line = await bff.request("GET", "/api/conversation/events", {
      token,
      headers: { "last-event-id": `${state.conversation.epoch}:${state.conversation.lastSeq}` },
    });
    const erased = await bff.request("DELETE", "/api/conversation/content", { token });
    expect([erased.status, await erased.json()]).toEqual([
      200,
      { erased: { conversationId: state.conversation.id } },
    ]);
    const events = (await readBlocks(line, 50)).map((block) => (dataOf(block) as { type: string }).type);
    expect(events).toContain("conversation.erased");
    expect((await (await bff.post("/api/session", {}, token)).json()).conversation).toBeNull();
    expect(await problemOf(await bff.request("DELETE", "/api/conversation/content", { token }))).toBe(
      "409 no_conversation",
    );
  });
});

describe("a refused upload or download never reaches the service", () => {
  test("ATT1 a file that has another type, is too large, or has no key", async () => {
    const { bff, service } = openFake();
    const { token } = await bff.startConversation();
    expect(await problemOf(await upload(bff, token, "<svg onload=alert(1)>"))).toBe("415 file_not_allowed");
    expect(await problemOf(await upload(bff, token, undefined))).toBe("415 file_not_allowed");
    expect(await problemOf(await upload(bff, token, png(), { "idempotency-key": "" }))).toBe(
      "400 bad_request",
    );
    expect(await problemOf(await upload(bff, token, png(), { "x-file-name": "%E0%A4%A" }))).toBe(
      "400 bad_request",
    );
    const announced = { "content-length": String(MAX_ATTACHMENT_BYTES + 1) };
    expect(await problemOf(await upload(bff, token, png(), announced))).toBe("413 file_too_large");
    expect(service.calls("attachments")).toEqual([]);
  });

  test("ATT1 whatever bytes and headers arrive, the answer is a problem or what the service verified", async () => {
    const { bff, service } = openFake();
    const { token } = await bff.startConversation();
    let runs = 0;
    const text = fc.string({ maxLength: 40 }).map((value) => value.replace(/[^\x20-\x7e]/g, "?").trim());
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 64 }),
        text,
        text,
        fc.boolean(),
        async (bytes, name, key, isPng) => {
          const body = Buffer.concat([isPng ? png() : Buffer.alloc(0), bytes]);
          const before = service.calls("attachments").length;
          runs += 1;
          const answer = await upload(bff, token, body, {
            "x-file-name": name || "a",
            "idempotency-key": `${key}${runs}`,
          });
          const calls = service.calls("attachments").slice(before);
          if (answer.status === 201) expect(calls).toHaveLength(1);
          else expect((await answer.json()).code).toMatch(/^(bad_request|file_not_allowed|rate_limited)$/);
          for (const call of calls) expect(call.headers["x-file-name"]).toMatch(/^[\w.!~*'()%-]*$/);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("ATT7 a service that does not declare attachments is not called, and the panel does not offer them", async () => {
    for (const capabilities of [[], ["turns", "attachments", "erase", "read", "rating"]]) {
      const { bff, service } = openFake(capabilities);
      const { capabilities: told, token } = await bff.startSession();
      expect(told).not.toContain("attachments");
      expect(told).not.toContain("erase");
      expect(await problemOf(await upload(bff, token, png()))).toBe("404 not_found");
      const body = { clientMessageId: "k", body: "", attachments: ["att-1"] };
      expect((await bff.post("/api/conversation", body, token)).status).toBe(404);
      expect(service.calls("attachments")).toEqual([]);
      expect(service.calls("conversations")).toEqual([]);
    }
  });

  test("ATT4 a turn whose answer lost a file is not confirmed", async () => {
    const { bff, service } = openFake();
    const { token } = await bff.startConversation();
    service.answer("turns", () => json({ message: { id: "m", seq: 2, clientMessageId: "k2" } }, 201));
    const body = { clientMessageId: "k2", body: "look", attachments: ["att-1"] };
    expect(await problemOf(await bff.post("/api/conversation/messages", body, token))).toBe(
      "502 not_confirmed",
    );
  });

  test("ATT4 a file of another type than the allowed ones is not passed on", async () => {
    const { bff, service } = openFake();
    const { token } = await bff.startConversation();
    service.answer(
      "attachmentContent",
      () => new Response("<script>", { headers: { "content-type": "text/html" } }),
    );
    const answer = await bff.request("GET", "/api/conversation/attachments/att-1", { token });
    expect(await problemOf(answer)).toBe("502 not_confirmed");
  });
});

describe("ATT4 an expired token", () => {
  test("a file that was already streamed is not sent again without its bytes; the next attempt succeeds", async () => {
    const { bff, service } = openFake();
    const { token } = await bff.startConversation();
    service.answer("attachments", () => json({ message: "over" }, 401));
    expect(await problemOf(await upload(bff, token, png()))).toBe("503 support_unreachable");
    expect(service.calls("attachments").map(({ bytes }) => bytes.length)).toEqual([png().length]);
  });
});

describe("ATT4 a conversation that is gone", () => {
  test("refuses exactly one file: the next attempt starts another conversation", async () => {
    const { bff, service } = openFake();
    const { token } = await bff.startConversation();
    service.answer("attachments", () => json({ message: "gone" }, 404));
    service.answer("messages", () => json({ message: "gone" }, 404));
    expect(await problemOf(await upload(bff, token, png()))).toBe("409 no_conversation");
    const starts = service.calls("conversations").length;
    await upload(bff, token, png());
    expect(service.calls("conversations")).toHaveLength(starts + 1);
  });

  test("does not count as gone if only the file was not found", async () => {
    const { bff, service } = openFake();
    const { token } = await bff.startConversation();
    service.answer("attachments", () => json({ message: "gone" }, 404));
    expect(await problemOf(await upload(bff, token, png()))).toBe("502 not_confirmed");
    const starts = service.calls("conversations").length;
    await upload(bff, token, png());
    expect(service.calls("conversations")).toHaveLength(starts);
  });
});

describe("files on slow connections", () => {
  test("at most eight per session; the next one is refused with a time to wait, and other sessions are not affected", async () => {
    const { bff, service } = openFake();
    const { token } = await bff.startConversation();
    const other = await bff.startConversation();
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let waiting = 0;
    const slow = () =>
      upload(
        bff,
        token,
        new ReadableStream(
          {
            async pull(controller) {
              controller.enqueue(png());
              waiting += 1;
              await held;
              controller.close();
            },
          },
          { highWaterMark: 0 },
        ),
      );
    const sent = Array.from({ length: 8 }, slow);
    await expect.poll(() => waiting).toBe(8);
    const ninth = await upload(bff, token, png());
    expect([await problemOf(ninth), ninth.headers.get("retry-after")]).toEqual(["429 rate_limited", "10"]);
    expect((await upload(bff, other.token, png())).status).toBe(201);
    goOn();
    const codes = (await Promise.all(sent)).map(({ status }) => status);
    expect(codes).toEqual(Array.from({ length: 8 }, () => 201));
    expect(service.calls("attachments")).toHaveLength(9);
    expect((await upload(bff, token, png())).status).toBe(201);
  });
});

/** A browser's request for a file that `content` sends, and whether the service was left. */
async function openFile(content: UnderlyingDefaultSource<Uint8Array>) {
  const clock = createTestClock();
  const service = createFakeService();
  const bff = createTestBff({ service, clock });
  const { token } = await bff.startConversation();
  let isLeft = false;
  const cancel = () => {
    isLeft = true;
  };
  const body = new ReadableStream<Uint8Array>({ ...content, cancel }, { highWaterMark: 0 });
  service.answer("attachmentContent", () => new Response(body, { headers: { "content-type": "image/png" } }));
  const answer = await bff.bff.app.request("/api/conversation/attachments/att-1", {
    headers: { origin: ORIGIN, "sec-fetch-site": "same-origin", authorization: `Bearer ${token}` },
  });
  const reader = answer.body?.getReader();
  if (!reader) throw new Error("no body");
  expect((await reader.read()).done).toBe(false);
  return { clock, reader, isLeft: () => isLeft };
}
const piece = (controller: ReadableStreamDefaultController<Uint8Array>) =>
  controller.enqueue(Buffer.from("bytes"));

describe("a file whose way stands still", () => {
  test("a reader who does not read is disconnected after a while, and so is the service", async () => {
    const { clock, reader, isLeft } = await openFile({ pull: piece });
    await clock.advance(120_000);
    expect(isLeft()).toBe(false);
    await clock.advance(15_000);
    expect(isLeft()).toBe(true);
    await expect(reader.read()).rejects.toThrow();
  });

  test("a service that falls silent is left after a while, and its reader disconnected", async () => {
    const { clock, reader, isLeft } = await openFile({ start: piece });
    const failed = expect(reader.read()).rejects.toThrow();
    await clock.advance(135_000);
    await failed;
    expect(isLeft()).toBe(true);
  });

  test("a service that falls silent is left at once when its reader leaves", async () => {
    const { reader, isLeft } = await openFile({ start: piece });
    void reader.read();
    await reader.cancel();
    expect(isLeft()).toBe(true);
  });
});
