import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { MAX_ATTACHMENT_BYTES } from "../../shared/limits.ts";
import { filesOf } from "../store/sqlite/database-files.ts";
import { inPieces, jpeg, pdf, png, SECRET } from "../testing/files.ts";
import { openTestService, type TestService } from "../testing/test-service.ts";

async function openTalk() {
  const t = await openTestService();
  const customer = await t.customer("ann");
  const id = await customer.start();
  const path = `/v1/support/conversations/${id}`;
  const send = (body: RequestInit["body"], headers: Record<string, string> = {}) =>
    t.request(`${path}/attachments`, {
      method: "POST",
      headers: { authorization: `Bearer ${customer.token}`, "x-file-name": "a.png", ...headers },
      body: body ?? null,
      duplex: "half",
    } as RequestInit);
  const turn = (clientMessageId: string, body: string, ids: readonly string[]) =>
    customer.post(`${path}/turns`, {
      clientMessageId,
      content: { body, format: "plain" },
      attachments: ids.map((file) => ({ id: file })),
    });
  return { t, customer, id, path, send, turn };
}
const shelf = (t: TestService) => {
  try {
    return readdirSync(filesOf(t.path));
  } catch {
    return [];
  }
};
const codeOf = async (answer: Response) => [answer.status, (await answer.json()).code];

describe("a file that a customer sends", () => {
  test("ATT1 is stored, typed by its bytes, and returned as a download that can't execute", async () => {
    const { t, customer, path, send } = await openTalk();
    const answer = await send(png(), { "content-type": "text/html", "x-file-name": "caf%C3%A9.html" });
    expect(answer.status).toBe(201);
    const { attachment, received } = await answer.json();
    expect(attachment).toMatchObject({ name: "café.html.png", type: "image/png" });
    expect(received).toEqual({
      size: png().length,
      sha256: createHash("sha256").update(png()).digest("hex"),
    });
    const file = await customer.get(`${path}/attachments/${attachment.id}`);
    expect(Object.fromEntries(file.headers)).toMatchObject({
      "content-type": "image/png",
      "content-length": String(attachment.size),
      "content-disposition": "attachment; filename*=UTF-8''caf%C3%A9.html.png",
      "content-security-policy": "sandbox; default-src 'none'",
      "cross-origin-resource-policy": "same-origin",
      "x-content-type-options": "nosniff",
    });
    const kept = Buffer.from(await file.arrayBuffer());
    expect(kept.length).toBe(attachment.size);
    expect(kept.includes(SECRET)).toBe(false);
    expect(shelf(t)).toEqual([attachment.id]);
    expect(await t.store.attachments.sweep()).toBe(0);
  });

  test("ATT1 an unknown type, a broken file and one that is too large are refused, and leave nothing on the disk", async () => {
    const { t, send } = await openTalk();
    expect(await codeOf(await send("<svg onload=alert(1)>"))).toEqual([415, "file_not_allowed"]);
    expect(await codeOf(await send(jpeg().subarray(0, 200)))).toEqual([415, "file_not_allowed"]);
    expect(await codeOf(await send(png(30_000, 30_000)))).toEqual([415, "file_not_allowed"]);
    expect(await codeOf(await send(null))).toEqual([415, "file_not_allowed"]);
    expect(await codeOf(await send(pdf(), { "x-file-name": "%" }))).toEqual([400, "bad_request"]);
    const large = Buffer.concat([png(), Buffer.alloc(MAX_ATTACHMENT_BYTES)]);
    expect(await codeOf(await send(large))).toEqual([413, "file_too_large"]);
    const unannounced = byteBody(inPieces(large, 65_536));
    expect(await codeOf(await send(unannounced))).toEqual([413, "file_too_large"]);
    expect(shelf(t)).toEqual([]);
  });

  test("ATT1 a refused file is read to its end, so that its sender gets the answer", async () => {
    const { t, send } = await openTalk();
    const other = await t.customer("bob");
    const refused = async (file: Uint8Array, headers: Record<string, string> = {}) => {
      const pieces = inPieces(file, 16);
      const answer = await send(byteBody(pieces), headers);
      return [...(await codeOf(answer)), (await pieces.next()).done];
    };
    expect(await refused(png(), { "x-file-name": "%" })).toEqual([400, "bad_request", true]);
    expect(await refused(png(), { "idempotency-key": "a b" })).toEqual([400, "bad_request", true]);
    expect(await refused(Buffer.alloc(1000))).toEqual([415, "file_not_allowed", true]);
    const foreign = { authorization: `Bearer ${other.token}` };
    expect(await refused(png(), foreign)).toEqual([404, "not_found", true]);
  });

  test("ATT4 the same upload again is one file; another under its key is refused", async () => {
    const { t, send } = await openTalk();
    const key = { "idempotency-key": "k1" };
    const first = await (await send(png(), key)).json();
    expect(await (await send(png(), key)).json()).toEqual(first);
    expect(await codeOf(await send(pdf(), key))).toEqual([422, "key_reused"]);
    expect(shelf(t)).toEqual([first.attachment.id]);
  });

  test("ATT4 is sent with one message, once, and only in its own conversation", async () => {
    const { customer, t, send, turn, id } = await openTalk();
    const { attachment } = await (await send(png())).json();
    const other = await customer.start();
    const elsewhere = await customer.post(`/v1/support/conversations/${other}/turns`, {
      clientMessageId: "x",
      content: { body: "look", format: "plain" },
      attachments: [{ id: attachment.id }],
    });
    expect(await codeOf(elsewhere)).toEqual([409, "file_gone"]);
    const sent = await (await turn("m1", "", [attachment.id])).json();
    const { conversationId: _, ...shown } = attachment;
    expect(sent.message).toMatchObject({ body: "", attachments: [shown] });
    // A retry is the same message; another message can't use the file, and the first one can't lose it.
    expect((await (await turn("m1", "", [attachment.id])).json()).message).toEqual(sent.message);
    expect(await codeOf(await turn("m1", "", []))).toEqual([400, "bad_request"]);
    expect(await codeOf(await turn("m2", "again", [attachment.id]))).toEqual([409, "file_gone"]);
    expect(await codeOf(await turn("m3", "", []))).toEqual([400, "bad_request"]);
    expect((await customer.transcript(id)).messages[0]?.attachments).toEqual([shown]);
    const queue = await t.store.desk.listDeskConversations(t.workspace.id);
    expect(queue.find((row) => row.id === id)?.preview).toBe("a.png");
  });

  test("ATT5 a file that was never sent is removed after a day, and a sent one stays", async () => {
    const { t, customer, path, send, turn } = await openTalk();
    const [kept, unsent] = await Promise.all(
      [0, 1].map(async () => (await (await send(png())).json()).attachment.id),
    );
    await turn("m1", "", [kept]);
    t.clock.advance(23 * 60 * 60 * 1000);
    await t.store.attachments.sweep();
    expect(new Set(shelf(t))).toEqual(new Set([kept, unsent]));
    t.clock.advance(2 * 60 * 60 * 1000);
    await t.store.attachments.sweep();
    await expect.poll(() => shelf(t)).toEqual([kept]);
    const again = await t.customer("ann");
    expect((await again.get(`${path}/attachments/${unsent}`)).status).toBe(404);
    expect((await again.get(`${path}/attachments/${kept}`)).status).toBe(200);
    expect(customer.externalId).toBe("ann");
  });

  test("ATT6 a conversation takes a limited number of files", async () => {
    const { send } = await openTalk();
    for (let index = 0; index < 50; index += 1) expect((await send(png())).status).toBe(201);
    expect(await codeOf(await send(png()))).toEqual([409, "too_many_files"]);
  });

  test("ATT4 an upload that breaks off leaves nothing, and is not confirmed", async () => {
    const { t, send } = await openTalk();
    const broken = new ReadableStream<Uint8Array>({
      start(control) {
        control.enqueue(png().subarray(0, 60));
        control.error(new Error("gone"));
      },
    });
    expect((await send(broken)).status).toBe(400);
    expect(shelf(t)).toEqual([]);
  });
});

function byteBody(pieces: AsyncIterator<Uint8Array>): ReadableStream<Uint8Array> {
  const pull = async (control: ReadableStreamDefaultController<Uint8Array>) => {
    const next = await pieces.next();
    if (next.done) control.close();
    else control.enqueue(next.value);
  };
  return new ReadableStream({ pull }, { highWaterMark: 0 });
}
