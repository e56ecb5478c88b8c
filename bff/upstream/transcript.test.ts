import { expect, test } from "vitest";
import type { UpstreamClient } from "./client.ts";
import { readTranscript } from "./transcript.ts";

const message = (seq: number) => ({ id: `m${seq}`, seq, role: "customer", body: "Hello", at: "" });
const page = (seq: number, more: object = {}) => ({
  messages: [message(seq)],
  lastSeq: 3,
  epoch: "e",
  ...more,
});

/** A service that answers each position with one page. */
function upstreamOf(pages: Record<number, object>): UpstreamClient {
  const call = async (_operation: unknown, { after }: { after?: number }) => ({ value: pages[after ?? 0] });
  return { call } as unknown as UpstreamClient;
}
const question = { serviceToken: "t", conversationId: "c", after: 0 };

test("a transcript in pages is read to its end", async () => {
  const mark = { seq: 2, at: "", type: "handoff.requested" };
  const upstream = upstreamOf({
    0: page(1, { nextAfter: 1 }),
    1: page(2, { nextAfter: 2, marks: [mark] }),
    2: page(3),
  });
  const { value } = await readTranscript(upstream, question);
  expect(value.messages.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  expect(value.marks).toEqual([mark]);
  expect(value.nextAfter).toBeUndefined();
});

test("a page that leads nowhere, and a log that was replaced between two pages, confirm nothing", async () => {
  const circle = upstreamOf({ 0: page(1, { nextAfter: 1 }), 1: page(2, { nextAfter: 1 }) });
  await expect(readTranscript(circle, question)).rejects.toMatchObject({ code: "not_confirmed" });
  const replaced = upstreamOf({ 0: page(1, { nextAfter: 1 }), 1: page(2, { epoch: "f" }) });
  await expect(readTranscript(replaced, question)).rejects.toMatchObject({ code: "not_confirmed" });
});
