import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Operation } from "../../bff/upstream/verified.ts";
import { FILE_NAME_HEADER } from "../../shared/attachment.ts";
import type { Capability } from "../../shared/capability.ts";
import { attachmentContent, attachments } from "../../shared/v1/attachments.ts";
import { setContact } from "../../shared/v1/contacts.ts";
import { endConversation, linkConversation, reopenConversation } from "../../shared/v1/conversations.ts";
import { eraseConversation } from "../../shared/v1/erasure.ts";
import { giveFeedback } from "../../shared/v1/feedback.ts";
import { requestHandoff } from "../../shared/v1/handoffs.ts";
import { listConversations, searchConversations } from "../../shared/v1/history.ts";
import { readMessages } from "../../shared/v1/messages.ts";
import { rateConversation } from "../../shared/v1/ratings.ts";
import { markRead } from "../../shared/v1/reads.ts";
import { proposeSummary, sendSummary } from "../../shared/v1/summaries.ts";
import { NDJSON, sendTurn } from "../../shared/v1/turns.ts";
import { tellTyping } from "../../shared/v1/typing.ts";
import { type Client, newKey } from "./client.ts";
import { JSON_ANSWER, open, turnOf } from "./optional.ts";

/** A complete picture of one pixel. */
const PICTURE = Uint8Array.from(
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
    "base64",
  ),
);
const PNG_SIGN = [0x89, 0x50, 0x4e, 0x47];
const named = (name: string, key = newKey()) => ({ [FILE_NAME_HEADER]: name, "idempotency-key": key });

/** Another customer is refused, if the service can tell customers apart. */
async function refusesOthers(
  client: Client,
  operation: Operation,
  call: Parameters<Client["send"]>[1],
): Promise<void> {
  if (!client.provesCustomer(operation)) return;
  const { token } = await client.openSession();
  await client.refuses(operation, { ...call, token }, "it is another customer's.");
}

/** For a service that declares `contact`; `hasTranscript`: `messages` too. */
function describeContact(client: Client, hasTranscript: boolean): void {
  describe("contact", () => {
    test("is returned as it was sent, changes, can be removed, and is set only by its customer", async () => {
      const at = await open(client);
      const set = (email: string | null) => client.call(setContact, { ...at, body: { email } });
      const stored = async () => (await client.call(readMessages, at)).conversation?.contact;
      for (const email of ["contract@shop.example", "Contract+2@shop.example"]) {
        expect((await set(email)).contact).toEqual({ email, conversationId: at.id });
        if (hasTranscript) expect(await stored()).toEqual({ email });
      }
      const forged = { ...at, body: { email: "a@b.example\r\nBcc: c" } };
      await client.refuses(setContact, forged, "it is no e-mail address.");
      expect((await set(null)).contact).toEqual({ email: null, conversationId: at.id });
      if (hasTranscript) expect(await stored()).toBeUndefined();
      await refusesOthers(client, setContact, { ...at, body: { email: "other@shop.example" } });
    });
  });
}

/** For a service that declares `summary`; `hasTranscript`: `messages` too. */
function describeSummary(client: Client, hasTranscript: boolean): void {
  describe("summary", () => {
    test("is proposed with places of the log, and sent once as the customer left it", async () => {
      const at = await open(client);
      await client.refuses(proposeSummary, at, "nobody was asked for.");
      const { handoff } = await client.call(requestHandoff, { ...at, body: { conversationId: at.id } });
      const { summary } = await client.call(proposeSummary, at);
      expect(summary.handoffId).toBe(handoff.id);
      const send = (text: string) => ({ ...at, body: { handoffId: handoff.id, text } });
      const text = "The lamp is broken.\nIt is urgent.";
      const { summary: sent } = await client.call(sendSummary, send(text));
      expect(await client.call(sendSummary, send(text))).toEqual({ summary: sent });
      await client.refuses(sendSummary, send("Something else."), "this hand-off has a summary.");
      if (hasTranscript) {
        const { marks } = await client.call(readMessages, at);
        if (marks) expect(marks.filter(({ type }) => type === "summary.sent")).toHaveLength(1);
      }
      await refusesOthers(client, sendSummary, send(text));
    });
  });
}

/** Tests the further capabilities that a service declares. */
export function describeExtras(client: Client, has: (...names: Capability[]) => boolean): void {
  if (has("turns", "attachments")) describeAttachments(client);
  if (has("turns", "read")) describeRead(client);
  if (has("events", "typing")) describeTyping(client);
  if (has("rating")) describeRating(client);
  if (has("turns", "messages", "feedback")) describeFeedback(client);
  if (has("summary", "events")) describeSummary(client, has("messages"));
  if (has("contact")) describeContact(client, has("messages"));
  if (has("erase")) describeErase(client, has("turns", "messages"));
  if (has("link")) describeLink(client);
  if (has("history")) describeHistory(client);
  if (has("turns", "messages", "search")) describeSearch(client);
  if (has("turns", "reopen")) describeReopen(client);
}

function describeAttachments(client: Client): void {
  const upload = (at: { token: string; id: string }, key = newKey()) =>
    client.call(attachments, { ...at, file: PICTURE, headers: named("a%20picture.png", key) });

  describe("attachments", () => {
    test("an upload confirms the received bytes, and takes effect once per key", async () => {
      const at = await open(client);
      const key = newKey();
      const first = await upload(at, key);
      expect(first.attachment).toMatchObject({ conversationId: at.id, type: "image/png" });
      const sha256 = createHash("sha256").update(PICTURE).digest("hex");
      expect(first.received).toEqual({ size: PICTURE.byteLength, sha256 });
      expect((await upload(at, key)).attachment.id).toBe(first.attachment.id);
    });

    test("a file is sent with one message, whose text may be empty, and with no second one", async () => {
      const at = await open(client);
      const { attachment } = await upload(at);
      const { conversationId: _, ...file } = attachment;
      const withFile = (body: string) => {
        const turn = { ...turnOf(newKey(), body), attachments: [{ id: file.id }] };
        return { ...at, body: turn, headers: JSON_ANSWER };
      };
      const { message } = await client.call(sendTurn, withFile(""));
      expect(message.attachments).toEqual([file]);
      await client.refuses(sendTurn, withFile("Again"), "its file was sent before.");
    });

    test("its customer can download it", async () => {
      const at = await open(client);
      const { attachment } = await upload(at);
      const read = { ...at, attachmentId: attachment.id };
      const answer = await client.send(attachmentContent, read);
      expect(answer.ok).toBe(true);
      expect(answer.headers.get("content-disposition")).toMatch(/^attachment\b/);
      const bytes = new Uint8Array(await answer.arrayBuffer());
      expect([...bytes.subarray(0, 4)]).toEqual(PNG_SIGN);
      expect(bytes.byteLength).toBe(attachment.size);
      await refusesOthers(client, attachmentContent, read);
      const missing = { ...at, attachmentId: "no-such-file" };
      await client.refuses(attachmentContent, missing, "there is no such file.");
    });

    test("refuses a wrong file type whatever its name says, and another customer's conversation", async () => {
      const at = await open(client);
      const page = Uint8Array.from(Buffer.from("<script>alert(1)</script>"));
      const disguised = { ...at, file: page, headers: named("picture.png") };
      await client.refuses(attachments, disguised, "its first bytes are those of no allowed type.");
      await refusesOthers(client, attachments, { ...at, file: PICTURE, headers: named("a.png") });
    });
  });
}

function describeRating(client: Client): void {
  describe("rating", () => {
    test("is returned as it was sent, can change, also after the end, and only by its customer", async () => {
      const at = await open(client);
      const rate = (body: object) => client.call(rateConversation, { ...at, body });
      const up = { score: "up", comment: "Quick." } as const;
      expect((await rate(up)).rating).toEqual({ ...up, conversationId: at.id });
      expect((await rate(up)).rating).toEqual({ ...up, conversationId: at.id });
      await client.call(endConversation, at);
      expect((await rate({ score: "down" })).rating).toEqual({ score: "down", conversationId: at.id });
      const odd = { ...at, body: { score: "sideways" } };
      await client.refuses(rateConversation, odd, "there is no such score.");
      await refusesOthers(client, rateConversation, { ...at, body: up });
    });
  });
}

/** For a service that declares `turns`, `messages` and `feedback`. */
function describeFeedback(client: Client): void {
  describe("feedback", () => {
    test("is returned as it was sent, changes, is taken back, and only by the customer who got the answer", async () => {
      const at = await open(client);
      // The stream ends with the answer.
      await (
        await client.send(sendTurn, { ...at, body: turnOf(newKey()), headers: { accept: NDJSON } })
      ).text();
      const read = async () => (await client.call(readMessages, at)).messages;
      const own = (await read()).find(({ role }) => role === "customer");
      const answer = (await read()).find(({ role }) => role === "agent");
      const about = (messageId = "", score: string | null = "up") => ({ ...at, body: { messageId, score } });
      await client.refuses(giveFeedback, about(own?.id), "it is the customer's own message.");
      // An agent that is away answers nothing.
      if (!answer) return;
      const { id: messageId } = answer;
      for (const score of ["up", "up", "down", null] as const) {
        const given = await client.call(giveFeedback, { ...at, body: { messageId, score } });
        expect(given.feedback).toEqual({ messageId, score, conversationId: at.id });
        const stored = (await read()).find(({ id }) => id === messageId);
        expect(stored?.feedback ?? null).toBe(score);
      }
      await client.refuses(giveFeedback, about(messageId, "sideways"), "there is no such score.");
      await refusesOthers(client, giveFeedback, about(messageId));
    });
  });
}

function describeRead(client: Client): void {
  describe("read", () => {
    test("is accepted up to the message that was seen, or up to a later one that was reported before", async () => {
      const at = await open(client);
      const { message } = await client.call(sendTurn, {
        ...at,
        body: turnOf(newKey()),
        headers: JSON_ANSWER,
      });
      const { read } = await client.call(markRead, { ...at, body: { seq: message.seq } });
      expect(read.conversationId).toBe(at.id);
      expect(read.seq).toBeGreaterThanOrEqual(message.seq);
      await refusesOthers(client, markRead, { ...at, body: { seq: message.seq } });
    });
  });
}

function describeTyping(client: Client): void {
  describe("typing", () => {
    test("is accepted for the named conversation, only from its customer", async () => {
      const at = await open(client);
      const { typing } = await client.call(tellTyping, { ...at, body: {} });
      expect(typing.conversationId).toBe(at.id);
      await refusesOthers(client, tellTyping, { ...at, body: {} });
    });
  });
}

/** `hasTranscript`: the service declares `turns` and `messages` too. */
function describeErase(client: Client, hasTranscript: boolean): void {
  describe("erase", () => {
    test("names the conversation, is idempotent, and is refused to other customers", async () => {
      const at = await open(client);
      await refusesOthers(client, eraseConversation, at);
      expect((await client.call(eraseConversation, at)).erased.conversationId).toBe(at.id);
      expect((await client.call(eraseConversation, at)).erased.conversationId).toBe(at.id);
    });

    if (!hasTranscript) return;
    test("leaves nothing to read", async () => {
      const at = await open(client);
      const word = `word-${newKey()}`;
      await client.call(sendTurn, { ...at, body: turnOf(newKey(), word), headers: JSON_ANSWER });
      expect(await (await client.send(readMessages, at)).text()).toContain(word);
      await client.call(eraseConversation, at);
      expect(await (await client.send(readMessages, at)).text()).not.toContain(word);
    });
  });
}

function describeLink(client: Client): void {
  describe("link", () => {
    test("gives a visitor's conversation to one customer, once, and never to another", async () => {
      const visitor = await client.openSession(`anon_${newKey()}`);
      const id = await client.startConversation(visitor.token);
      const [ann, bob] = [await client.openSession(), await client.openSession()];
      const body = { externalId: visitor.externalId, linkedTo: ann.externalId };
      for (let time = 0; time < 2; time += 1) {
        const { conversation } = await client.call(linkConversation, { id, body });
        expect(conversation).toEqual({ id, externalId: ann.externalId });
      }
      const other = { externalId: visitor.externalId, linkedTo: bob.externalId };
      await client.refuses(linkConversation, { id, body: other }, "it was linked to another customer.");
      if (!client.provesCustomer(endConversation)) return;
      for (const { token } of [visitor, bob])
        await client.refuses(endConversation, { token, id }, "it was linked to another customer.");
      await client.call(endConversation, { token: ann.token, id });
    });
  });
}

function describeHistory(client: Client): void {
  describe("history", () => {
    test("names the customer, and lists their own conversations, ended ones too, and no other's", async () => {
      const at = await open(client);
      const { customer, conversations } = await client.call(listConversations, { token: at.token });
      expect(conversations).toMatchObject([{ id: at.id, status: "open" }]);
      await client.call(endConversation, at);
      const later = await client.call(listConversations, { token: at.token });
      expect(later.conversations).toMatchObject([{ id: at.id, status: "ended" }]);
      expect(later.customer).toEqual(customer);
      if (!client.provesCustomer(listConversations)) return;
      const other = await client.openSession();
      expect(await client.call(listConversations, { token: other.token })).toMatchObject({
        customer: { externalId: other.externalId },
        conversations: [],
      });
    });

    test("is complete over its pages", async () => {
      const { token } = await client.openSession();
      const started = new Set([await client.startConversation(token), await client.startConversation(token)]);
      const first = await client.call(listConversations, { token, query: "?limit=1" });
      const { next } = first;
      const rest =
        next === undefined
          ? []
          : (
              await client.call(listConversations, {
                token,
                query: `?limit=1&after=${encodeURIComponent(next)}`,
              })
            ).conversations;
      expect(new Set([...first.conversations, ...rest].map(({ id }) => id))).toEqual(started);
    });
  });
}

/** For a service that declares `turns`, `messages` and `search`. */
function describeSearch(client: Client): void {
  describe("search", () => {
    test("repeats what was asked, and finds the customer's own words and nobody else's", async () => {
      const at = await open(client);
      const word = `word-${newKey()}`;
      await client.call(sendTurn, {
        ...at,
        body: turnOf(newKey(), `One ${word} more`),
        headers: JSON_ANSWER,
      });
      const find = async (token: string, text: string) => {
        const found = await client.call(searchConversations, { token, body: { text } });
        expect(found.text).toBe(text);
        return found.conversations.map(({ id }) => id);
      };
      expect(await find(at.token, word)).toEqual([at.id]);
      expect(await find(at.token, `${word}-not`)).toEqual([]);
      if (!client.provesCustomer(searchConversations)) return;
      expect(await find((await client.openSession()).token, word)).toEqual([]);
    });
  });
}

/** For a service that declares `turns` and `reopen`. */
function describeReopen(client: Client): void {
  describe("reopen", () => {
    test("opens an ended conversation for its own customer, who can write in it, and is idempotent", async () => {
      const at = await open(client);
      await client.call(endConversation, at);
      await refusesOthers(client, reopenConversation, at);
      for (let time = 0; time < 2; time += 1) {
        const { conversation } = await client.call(reopenConversation, at);
        expect(conversation).toEqual({ id: at.id, status: "open" });
      }
      await client.call(sendTurn, { ...at, body: turnOf(newKey()), headers: JSON_ANSWER });
    });
  });
}
