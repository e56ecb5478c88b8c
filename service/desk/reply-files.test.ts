import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FILE_NAME_HEADER } from "../../shared/attachment.ts";
import { CSRF_HEADER } from "../../shared/desk.ts";
import { reply, uploadFile } from "../../shared/desk-operations.ts";
import { png } from "../testing/files.ts";
import { createDeskBench, type DeskBench, ORIGIN, type SignedIn } from "./testing/desk-bench.ts";

let bench: DeskBench;
let workspaceId: string;
let ada: SignedIn;

beforeEach(async () => {
  bench = createDeskBench();
  workspaceId = (await bench.addWorkspace("shop")).id;
  ada = await bench.signIn(workspaceId, "ada@shop.example");
});
afterEach(() => bench.close());

async function upload(id: string, as: SignedIn, bytes: Uint8Array, key = "key-1"): Promise<Response> {
  return bench.app.request(`${ORIGIN}/desk/api/conversations/${id}/attachments`, {
    method: "POST",
    headers: {
      origin: ORIGIN,
      cookie: as.cookie,
      [CSRF_HEADER]: as.csrf,
      "content-type": "application/octet-stream",
      "idempotency-key": key,
      [FILE_NAME_HEADER]: "invoice.png",
    },
    body: Uint8Array.from(bytes),
  });
}
const send = (id: string, as: SignedIn, body: object) =>
  bench.call("POST", `conversations/${id}/messages`, { as, body });
async function outcome(response: Response): Promise<[status: number, code: string]> {
  return [response.status, ((await response.json()) as { code: string }).code];
}
async function taken() {
  const waiting = await bench.waitingConversation(workspaceId);
  await bench.call("POST", `conversations/${waiting.id}/take`, { as: ada });
  return waiting;
}
async function uploaded(id: string, key?: string): Promise<string> {
  const answer = await upload(id, ada, png(), key);
  expect(answer.status).toBe(201);
  return uploadFile.answer.parse(await answer.json()).attachment.id;
}

describe("DESK16 files of a reply", () => {
  it("reach the customer with the reply, once, also without a text", async () => {
    const { id, owner } = await taken();
    const file = await uploaded(id);
    expect(await uploaded(id), "a repeated upload is the same file").toBe(file);
    const body = { clientMessageId: "r1", body: "", attachments: [{ id: file }] };
    const first = reply.answer.parse(await (await send(id, ada, body)).json());
    expect(first.message).toMatchObject({ role: "human", attachments: [{ id: file, name: "invoice.png" }] });
    expect(reply.answer.parse(await (await send(id, ada, body)).json())).toEqual(first);
    const { messages } = await bench.store.conversations.readTranscript(owner, id, 0, 100);
    expect(messages.filter(({ role }) => role === "human")).toHaveLength(1);
    const opened = await bench.store.attachments.open(owner, id, file);
    expect(opened.attachment.type).toBe("image/png");
    await opened.body.cancel();
    const other = { ...body, clientMessageId: "r2" };
    expect(await outcome(await send(id, ada, other))).toEqual([409, "file_gone"]);
    const reused = { ...body, attachments: [{ id: await uploaded(id, "key-2") }] };
    expect(await outcome(await send(id, ada, reused))).toEqual([422, "key_reused"]);
  });

  it("are stored only for the person who has the conversation", async () => {
    const bob = await bench.signIn(workspaceId, "bob@shop.example");
    const waiting = await bench.waitingConversation(workspaceId, "customer-2");
    expect(await outcome(await upload(waiting.id, ada, png()))).toEqual([403, "forbidden"]);
    const { id } = await taken();
    expect(await outcome(await upload(id, bob, png()))).toEqual([403, "forbidden"]);
    await bench.call("POST", `conversations/${id}/resolve`, { as: ada });
    expect(await outcome(await upload(id, ada, png()))).toEqual([409, "conversation_ended"]);
  });

  it("are pictures and PDF by their bytes, and a reply names only files of its conversation", async () => {
    const { id } = await taken();
    const script = new TextEncoder().encode("<script>alert(1)</script>");
    expect((await outcome(await upload(id, ada, script)))[1]).toBe("file_not_allowed");
    const elsewhere = await bench.waitingConversation(workspaceId, "customer-2");
    await bench.call("POST", `conversations/${elsewhere.id}/take`, { as: ada });
    const file = await uploaded(elsewhere.id);
    const body = { clientMessageId: "r1", body: "Look", attachments: [{ id: file }] };
    expect(await outcome(await send(id, ada, body))).toEqual([409, "file_gone"]);
    const empty = { clientMessageId: "r2", body: "", attachments: [] };
    expect(await outcome(await send(id, ada, empty))).toEqual([400, "bad_request"]);
  });
});
