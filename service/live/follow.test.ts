import { expect, test } from "vitest";
import type { DurableEvent } from "../../shared/event.ts";
import { follow } from "./follow.ts";
import { createHub } from "./hub.ts";

const owner = { workspaceId: "w1", customerId: "ann" };

test("a reader who leaves in the middle of a long log ends the reading, and gets no later event", async () => {
  const hub = createHub((error) => {
    throw error;
  });
  const reader = new AbortController();
  const eventAt = (seq: number): DurableEvent => ({
    type: "conversation.ended",
    by: "customer",
    seq,
    at: "2026-11-27T02:00:00.000Z",
  });
  let pages = 0;
  const seen: number[] = [];
  await follow(
    {
      hub,
      readEvents: async (_owner, _id, after, limit) => {
        pages += 1;
        const events = Array.from({ length: limit }, (_, at) => eventAt(after + 1 + at));
        return { events, lastSeq: 10_000, workspaceId: "w1", read: undefined };
      },
      readSnapshot: () => undefined,
    },
    { owner, conversationId: "c1", after: 0, signal: reader.signal },
    {
      onEvent: (event) => {
        if ("seq" in event) seen.push(event.seq);
        if (seen.length === 3) reader.abort();
      },
      calm: () => undefined,
      onError: (error) => {
        throw error;
      },
    },
  );
  hub.publish({ workspaceId: "w1", conversationId: "c1", event: eventAt(4) });
  expect(seen).toEqual([1, 2, 3]);
  expect(pages).toBe(1);
});

test("a reader of a long log learns at once that it was erased, and gets nothing more of it", async () => {
  const hub = createHub((error) => {
    throw error;
  });
  const reader = new AbortController();
  const seen: string[] = [];
  await follow(
    {
      hub,
      readEvents: async () => ({
        events: [1, 2, 3].map((seq) => ({
          type: "conversation.ended",
          by: "customer",
          seq,
          at: "2026-11-28T11:00:00.000Z",
        })),
        lastSeq: 3,
        workspaceId: "w1",
        read: undefined,
      }),
      readSnapshot: () => undefined,
    },
    { owner, conversationId: "c1", after: 0, signal: reader.signal },
    {
      onEvent: (event) => {
        seen.push(event.type);
        if (event.type === "conversation.erased") reader.abort();
      },
      calm: async () => {
        if (seen.length === 1)
          hub.publish({ workspaceId: "w1", conversationId: "c1", event: { type: "conversation.erased" } });
      },
      onError: (error) => {
        throw error;
      },
    },
  );
  expect(seen).toEqual(["conversation.ended", "conversation.erased"]);
});
