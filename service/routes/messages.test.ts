import { describe, expect, test } from "vitest";
import { DEFAULT_PAGE, MAX_PAGE, readMessages } from "../../shared/v1/messages.ts";
import { createSilentAgent } from "../testing/agents.ts";
import type { TestCustomer } from "../testing/test-customer.ts";
import { openTestService, problemOf } from "../testing/test-service.ts";

/** A conversation with this many messages, in which a person was asked for, so no agent answers. */
async function openLong(messages: number) {
  const t = await openTestService({ agents: [createSilentAgent({ id: "knowledge" })] });
  const ann = await t.customer("ann");
  const id = await ann.start();
  await ann.post("/v1/support/handoffs", { conversationId: id });
  await Promise.all(Array.from({ length: messages }, (_, at) => ann.say(id, `Message ${at}`)));
  return { t, ann, id };
}

async function readPage(customer: TestCustomer, id: string, query: string) {
  const answer = await customer.get(`/v1/support/conversations/${id}/messages${query}`);
  expect(answer.status).toBe(200);
  return readMessages.answer.parse(await answer.json());
}

describe("a transcript in pages", () => {
  test("all pages together are the whole log, each entry once, and the last one has no next", async () => {
    const { ann, id } = await openLong(20);
    const whole = await readPage(ann, id, "?limit=500");
    expect(whole.nextAfter).toBeUndefined();
    const messages: unknown[] = [];
    const marks: unknown[] = [];
    let after: number | undefined = 0;
    for (let pages = 0; after !== undefined; pages += 1) {
      const page: Awaited<ReturnType<typeof readPage>> = await readPage(ann, id, `?after=${after}&limit=7`);
      expect(page.messages.length).toBeLessThanOrEqual(7);
      expect(page.lastSeq).toBe(whole.lastSeq);
      messages.push(...page.messages);
      marks.push(...(page.marks ?? []));
      after = page.nextAfter;
      expect(pages).toBeLessThan(5);
    }
    expect(messages).toEqual(whole.messages);
    expect(marks).toEqual(whole.marks);
  });

  test("joined pages from the end are the whole log, each entry once, and no page precedes the first", async () => {
    const { ann, id } = await openLong(20);
    const whole = await readPage(ann, id, "?limit=500");
    const messages: unknown[] = [];
    const marks: unknown[] = [];
    let before: number | undefined = whole.lastSeq + 1;
    for (let pages = 0; before !== undefined; pages += 1) {
      const page: Awaited<ReturnType<typeof readPage>> = await readPage(ann, id, `?before=${before}&limit=7`);
      expect(page.lastSeq).toBe(whole.lastSeq);
      messages.unshift(...page.messages);
      marks.unshift(...(page.marks ?? []));
      before = page.nextBefore;
      expect(pages).toBeLessThan(5);
    }
    expect(messages).toEqual(whole.messages);
    expect(marks).toEqual(whole.marks);
  });

  test("LONG1 the largest position gives the newest page: a client that knows no position needs one call", async () => {
    const { ann, id } = await openLong(20);
    const { lastSeq } = await readPage(ann, id, "?limit=500");
    const page = await readPage(ann, id, `?before=${Number.MAX_SAFE_INTEGER}&limit=7`);
    expect(page.messages.at(-1)?.seq).toBe(lastSeq);
    expect(page.nextBefore).toBe(lastSeq - 6);
    const beyond = await ann.get(`/v1/support/conversations/${id}/messages?before=9007199254740992`);
    expect(beyond.status).toBe(400);
  });

  test("a page that ends with the log has no next", async () => {
    const { ann, id } = await openLong(3);
    const { lastSeq } = await readPage(ann, id, "");
    expect((await readPage(ann, id, `?limit=${lastSeq}`)).nextAfter).toBeUndefined();
    expect((await readPage(ann, id, `?limit=${lastSeq - 1}`)).nextAfter).toBe(lastSeq - 1);
    expect(await readPage(ann, id, `?after=${lastSeq}`)).toMatchObject({ messages: [], marks: [] });
  });

  test("without a limit a page has its default length", async () => {
    const { ann, id } = await openLong(DEFAULT_PAGE);
    const { nextAfter } = await readPage(ann, id, "");
    expect(nextAfter).toBe(DEFAULT_PAGE);
  });

  test.each(["0", "-1", "1.5", "x", String(MAX_PAGE + 1), ""])("a limit of %j is refused", async (limit) => {
    const { ann, id } = await openLong(0);
    const answer = await ann.get(`/v1/support/conversations/${id}/messages?limit=${limit}`);
    expect(answer.status).toBe(400);
    expect((await problemOf(answer)).detail).toContain("limit: must be a whole number");
  });
});
