import { describe, expect, it } from "vitest";
import { createFakeService, json } from "../../service/testing/fake/fake-service.ts";
import { readEarlier } from "../../shared/api/conversation.ts";
import { startSession } from "../../shared/api/session.ts";
import { createTestBff, problemOf } from "../testing/test-bff.ts";

const AT = "2026-11-22T12:00:00.000Z";
const ACTION = { actionId: "a1", name: "shop_refund", seq: 5, at: AT, approved: true };
const message = (seq: number) => ({ id: `m${seq}`, seq, role: "agent", body: `Message ${seq}`, at: AT });
const messages = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => message(from + at));
const seqsOf = (page: { readonly messages: readonly { readonly seq: number }[] }) =>
  page.messages.map(({ seq }) => seq);

/** A session whose conversation has 700 messages. `pages`: the service gives pages from the end of a log. */
async function openLong({ pages }: { readonly pages: boolean }) {
  const service = createFakeService();
  service.answer("messages", ({ path }) => {
    const id = path.split("/")[4];
    const { searchParams } = new URL(path, "http://service.example");
    const before = Math.min(Number(searchParams.get("before") ?? 701), 701);
    const from = Math.max(1, before - 50);
    return json({
      conversation: { id, status: "open" },
      lastSeq: 700,
      epoch: "epoch-1",
      ...(pages
        ? { messages: messages(from, before - 1), ...(from > 1 ? { nextBefore: from } : {}) }
        : { messages: messages(1, 700) }),
      actions: [ACTION].filter(({ seq }) => !pages || (seq >= from && seq < before)),
    });
  });
  const bff = createTestBff({ service });
  const { token, id } = await bff.startConversation();
  return {
    service,
    bff,
    token,
    id,
    resume: async () => {
      const answer = await bff.post("/api/session", {}, token);
      return startSession.answer.parse(await answer.json()).conversation;
    },
    earlier: (query: string) => bff.request("GET", `/api/conversation/messages${query}`, { token }),
  };
}

describe("a long conversation", () => {
  for (const pages of [true, false]) {
    const name = pages ? "of a service with pages" : "of a service that gives all of it";

    it(`LONG1 ${name} is resumed with its newest messages`, async () => {
      const { resume, service, id } = await openLong({ pages });
      const before = service.calls("messages").length;
      const conversation = await resume();
      expect(conversation).toMatchObject({ id, status: "open", lastSeq: 700, nextBefore: 651 });
      expect(conversation && seqsOf(conversation)).toEqual(seqsOf({ messages: messages(651, 700) }));
      expect(service.calls("messages")).toHaveLength(before + 1);
    });

    it(`${name} is read upwards to its beginning, each message once`, async () => {
      const { earlier, resume, id } = await openLong({ pages });
      const epoch = (await resume())?.epoch;
      const seqs: number[] = [];
      const actions: unknown[] = [];
      let before: number | undefined = 701;
      for (let count = 0; before !== undefined && count < 20; count += 1) {
        const answer = await earlier(`?before=${before}`);
        expect(answer.status).toBe(200);
        const page = readEarlier.answer.parse(await answer.json());
        expect(page.conversation).toEqual({ id, epoch });
        seqs.unshift(...seqsOf(page));
        actions.push(...(page.actions ?? []));
        before = page.nextBefore;
      }
      expect(seqs).toEqual(seqsOf({ messages: messages(1, 700) }));
      expect(actions).toEqual([ACTION]);
    });
  }

  it("LONG2 is read by one call after the other for each session", async () => {
    const { resume, service } = await openLong({ pages: true });
    const held = Promise.withResolvers<Response>();
    const before = service.calls("messages").length;
    service.answer("messages", () => held.promise);
    const resumes = [resume(), resume(), resume()];
    await expect.poll(() => service.calls("messages").length).toBe(before + 1);
    service.answer("messages", () => json({ messages: [], lastSeq: 0, epoch: "epoch-1" }));
    held.resolve(json({ messages: [], lastSeq: 0, epoch: "epoch-1" }));
    await Promise.all(resumes);
    expect(service.calls("messages")).toHaveLength(before + 3);
  });

  it("refuses an invalid position, a caller without a session, and a session without a conversation", async () => {
    const { bff, earlier } = await openLong({ pages: true });
    for (const query of ["?before=0", "?before=x", "?before=1.5", "?before=-1"]) {
      expect(await problemOf(await earlier(query))).toBe("400 bad_request");
    }
    const path = "/api/conversation/messages?before=701";
    expect((await bff.request("GET", path)).status).toBe(401);
    const { token } = await bff.startSession();
    expect(await problemOf(await bff.request("GET", path, { token }))).toBe("409 no_conversation");
  });
});
