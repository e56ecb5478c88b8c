import { describe, expect, it } from "vitest";
import type { Attachment } from "../../shared/attachment.ts";
import { MAX_ATTACHMENT_BYTES } from "../../shared/limits.ts";
import type { Message } from "../../shared/message.ts";
import type { Upload } from "../client/xhr-upload.ts";
import { announcementOf } from "../ui/announcement.ts";
import { wordsWithAddresses } from "../ui/rich-text-words.ts";
import { AftercareModel } from "./aftercare.ts";
import { AttachmentsModel, MAX_FILES } from "./attachments.ts";
import { ChatFailure } from "./chat-failure.ts";
import { createExtrasClient } from "./extras-client.ts";
import type { PanelEvent } from "./panel-events.ts";
import { LEFT_FILES } from "./session-storage.ts";
import { StoredFilesModel } from "./stored-files.ts";
import { settle } from "./testing/manual-time.ts";
import { AT, createScriptedBff, customerMessage, FAULTS, json, problem } from "./testing/scripted-bff.ts";
import { createMapStorage, startChat } from "./testing/start-chat.ts";
import { createTexts } from "./texts.ts";
import { transcriptOf, transcriptPage } from "./transcript.ts";

const RATE = "POST /api/conversation/rating";
const ERASE = "DELETE /api/conversation/content";
const PDF = new TextEncoder().encode("%PDF-1.7 and more");
const KEPT: Attachment = { id: "att1", name: "letter.pdf", type: "application/pdf", size: PDF.length };
const pdf = (name = "letter.pdf") => new File([PDF], name, { type: "application/pdf" });
const keptAnswer = (attachment: Partial<Attachment> = {}) =>
  json(201, { attachment: { ...KEPT, ...attachment } });

/** The last announcement for screen readers, and whether it was assertive. */
const lastSaid = (happenings: readonly PanelEvent[]) => {
  const last = happenings.at(-1);
  return last?.type === "said" ? [last.isUrgent, last.words(createTexts({}, "en"))] : [last?.type];
};

/** The models of the third part over a chat with one confirmed message; files go to `answers`, one each. */
async function start(...answers: (() => Response | Promise<Response>)[]) {
  const bff = createScriptedBff();
  bff.state.capabilities = [...bff.state.capabilities, "attachments", "rating", "erase"];
  const posted: string[] = [];
  const tabs = { post: (said: string) => void posted.push(said), listen: () => undefined };
  const tabStorage = createMapStorage();
  const started = startChat(bff, undefined, { tabs, tabStorage });
  const { chat } = started;
  chat.open();
  chat.outbox.send("Hello");
  await settle();
  const uploads: Parameters<Upload>[] = [];
  const upload: Upload = async (...call) => {
    uploads.push(call);
    call[1].onProgress(0.5);
    const answer = answers.shift() ?? keptAnswer;
    return answer();
  };
  const calls = createExtrasClient({ fetch: bff.fetch }, chat.client, upload);
  const revoked: string[] = [];
  const saved: string[] = [];
  let made = 0;
  const common = {
    environment: { randomId: () => `file-${++made}`, tabStorage, tabs },
    client: calls,
    chat,
    addresses: { createObjectURL: () => "blob:1", revokeObjectURL: (one: string) => void revoked.push(one) },
    save: (_: Blob, name: string) => void saved.push(name),
  };
  const stored = new StoredFilesModel(common);
  const attachments = new AttachmentsModel({ ...common, onSent: stored.take });
  const pick = async (...files: File[]) => {
    chat.composer.files.value = undefined;
    chat.composer.picked.value = files;
    await settle();
  };
  const states = () => attachments.tray.value.map(({ state }) => state.kind);
  return {
    ...started,
    attachments,
    stored,
    aftercare: new AftercareModel(common),
    pick,
    states,
    uploads,
    posted,
    saved,
    revoked,
    tabStorage,
  };
}

describe("ATT9 files of the next message", () => {
  it("count as stored once the BFF verifiably says so, and are sent with the message", async () => {
    const { chat, bff, pick, states, uploads, attachments, tabStorage, happenings } = await start();
    await pick(pdf('"><img onerror=alert(1)>\ud800.pdf'));
    expect(states()).toEqual(["stored"]);
    expect(tabStorage.map.get(LEFT_FILES)).toBe("1");
    const headers = uploads[0]?.[1].headers ?? {};
    expect(headers["idempotency-key"]).toBe("file-1");
    expect(headers["x-file-name"]).toMatch(/^[\w%.()*'~!-]+$/);
    expect(chat.composer.files.value).toEqual([KEPT]);
    expect(lastSaid(happenings)[1]).toMatch(/^Attached: .*\.pdf$/);

    bff.script("POST /api/conversation/messages", ({ body }) =>
      json(201, { message: { ...customerMessage(9, body.clientMessageId ?? "", ""), attachments: [KEPT] } }),
    );
    expect(chat.outbox.send("", chat.composer.files.value)).toBe("sending");
    chat.composer.files.value = [];
    await settle();
    expect(bff.received.at(-1)?.body).toMatchObject({ body: "", attachments: ["att1"] });
    expect(chat.conversation.log.value.messages.at(-1)).toMatchObject({ attachments: [KEPT] });
    expect(chat.conversation.log.value.pending).toEqual([]);
    expect(attachments.tray.value).toEqual([]);
    expect(tabStorage.map.has(LEFT_FILES)).toBe(false);
  });

  it("a message whose answer lacks its files is not confirmed, and Retry names the same ones", async () => {
    const { chat, bff, pick } = await start();
    await pick(pdf());
    bff.script("POST /api/conversation/messages", ({ body }) =>
      json(201, { message: customerMessage(9, body.clientMessageId ?? "", "Here") }),
    );
    chat.outbox.send("Here", chat.composer.files.value);
    await settle();
    const [waiting] = chat.conversation.log.value.pending;
    expect(waiting).toMatchObject({ status: "not_confirmed", attachments: [KEPT] });
    chat.outbox.retry(waiting?.clientMessageId ?? "");
    await settle();
    const sent = bff.calls("POST /api/conversation/messages").map(({ body }) => body);
    expect(sent).toHaveLength(2);
    expect(sent[1]).toEqual(sent[0]);
  });

  it.each([
    ...Object.entries(FAULTS).filter(([name]) => name !== "network error"),
    ["another type", () => keptAnswer({ type: "image/png" })] as const,
  ])("%s confirms no file: a doubt, and Retry by the same key", async (_, fault) => {
    const request = { method: "POST", path: "", authorization: null, query: "", lastEventId: null, body: {} };
    const { chat, pick, states, uploads, attachments, happenings } = await start(async () =>
      fault(request, new AbortController().signal),
    );
    await pick(pdf());
    expect(states()).toEqual(["failed"]);
    expect(chat.composer.files.value).toBeUndefined();
    expect(lastSaid(happenings)).toEqual([
      true,
      expect.stringMatching(/^We couldn't confirm this file: letter\.pdf\. \w/),
    ]);
    attachments.retry("file-1");
    await settle();
    expect(states()).toEqual(["stored"]);
    expect(uploads.map(([, { headers }]) => headers["idempotency-key"])).toEqual(["file-1", "file-1"]);
  });

  it("SAY1 a refusal is announced without a doubt", async () => {
    const { pick, happenings } = await start();
    await pick(new File([PDF, new Uint8Array(MAX_ATTACHMENT_BYTES)], "large.pdf"));
    expect(lastSaid(happenings)).toEqual([true, "large.pdf: This file is over 10 MB."]);
  });

  it("no byte is sent of a file that is too large, or neither a picture nor a PDF by its bytes", async () => {
    const { chat, pick, states, uploads, attachments, revoked } = await start();
    const large = new File([PDF, new Uint8Array(MAX_ATTACHMENT_BYTES)], "large.pdf");
    await pick(new File(["<svg/>"], "a.png", { type: "image/png" }), new File([], "empty.pdf"), large);
    const { refused } = chat.composer;
    expect(refused.value.map(({ failure }) => failure.code).sort()).toEqual([
      "file_not_allowed",
      "file_not_allowed",
      "file_too_large",
    ]);
    for (const { key } of refused.value) attachments.retry(key);
    await settle();
    expect([uploads, states(), revoked]).toEqual([[], [], ["blob:1"]]);
  });

  it("a refused file holds no message back, stays with its reason and takes no room", async () => {
    const { chat, pick, states, attachments, happenings } = await start();
    await pick(new File(["<svg/>"], "a.svg"), pdf(), pdf(), pdf());
    expect([states(), chat.composer.files.value?.length]).toEqual([["stored", "stored", "stored"], 3]);
    expect(
      happenings.flatMap((event) => (event.type === "said" ? [event.words(createTexts({}, "en"))] : [])),
    ).toContain("a.svg: This file can't be attached. Choose an image (PNG, JPEG, GIF, WebP) or a PDF.");
    expect(chat.outbox.send("Hello", chat.composer.files.value)).toBe("sending");
    chat.composer.files.value = [];
    await settle();
    expect(chat.composer.refused.value.map(({ file }) => file.name)).toEqual(["a.svg"]);
    attachments.remove(chat.composer.refused.value[0]?.key ?? "");
    expect(chat.composer.refused.value).toEqual([]);
    expect(lastSaid(happenings)).toEqual([false, "Removed: a.svg"]);
  });

  it("four go with a message; a fifth is refused with a sentence", async () => {
    const { pick, states, attachments } = await start();
    await pick(...Array.from({ length: MAX_FILES + 1 }, (_, index) => pdf(`${index}.pdf`)));
    expect(states()).toHaveLength(MAX_FILES);
    expect(attachments.isTooMany.value).toBe(true);
  });

  it("SAY1 a removed file stops its upload; the removal is announced, and a late answer is not", async () => {
    let answer: (given: Response) => void = () => undefined;
    const { chat, pick, states, uploads, attachments, happenings } = await start(
      () =>
        new Promise<Response>((resolve) => {
          answer = resolve;
        }),
    );
    await pick(pdf());
    expect(attachments.tray.value[0]?.state).toEqual({ kind: "uploading", share: 0.5 });
    attachments.remove("file-1");
    expect(lastSaid(happenings)).toEqual([false, "Removed: letter.pdf"]);
    const before = happenings.length;
    expect(uploads[0]?.[1].signal.aborted).toBe(true);
    answer(keptAnswer());
    await settle();
    expect([states(), chat.composer.files.value, happenings.length]).toEqual([[], [], before]);
  });

  it("a logout forgets them and their pictures", async () => {
    const { chat, pick, states, revoked, tabStorage } = await start();
    await pick(new File([PDF], "a.png", { type: "image/png" }), new File([], "empty.pdf"));
    expect(chat.composer.refused.value).toHaveLength(1);
    await chat.identity.logout();
    expect([states(), revoked, tabStorage.map.has(LEFT_FILES)]).toEqual([[], ["blob:1"], false]);
    expect(chat.composer.refused.value).toEqual([]);
  });

  it("files that a reload lost are reported, and the next file removes the report", () => {
    const tabStorage = createMapStorage();
    tabStorage.setItem(LEFT_FILES, "1");
    const { chat } = startChat();
    const { isLost } = new AttachmentsModel({
      environment: { randomId: () => "f", tabStorage },
      client: { upload: () => Promise.reject(new ChatFailure("internal")) },
      chat,
      addresses: URL,
      onSent: () => undefined,
    });
    expect([isLost.value, tabStorage.map.has(LEFT_FILES)]).toEqual([true, false]);
    chat.composer.picked.value = [pdf()];
    expect(isLost.value).toBe(false);
  });
});

describe("ATT10 files of the log", () => {
  const path = "GET /api/conversation/attachments/att1";
  it("are saved as what they are, and what is another thing is not", async () => {
    const { bff, stored, saved, happenings } = await start();
    const file = (type: string) => () => new Response(PDF, { headers: { "content-type": type } });
    bff.script(path, file("text/html"), file("application/pdf"));
    await stored.download(KEPT);
    expect([saved, [...stored.failed.value]]).toEqual([[], ["att1"]]);
    expect(lastSaid(happenings)).toEqual([true, "We couldn't load this file."]);
    await stored.download(KEPT);
    expect([saved, [...stored.failed.value]]).toEqual([["letter.pdf"], []]);
    expect(bff.calls(path).map(({ authorization }) => authorization?.slice(0, 13))).toEqual([
      "Bearer token-",
      "Bearer token-",
    ]);
  });
});

describe("ATT10 a file that arrives different from what was stored", () => {
  it.each([
    ["a piece of it", PDF.slice(0, 9)],
    ["other bytes, as many", new Uint8Array(PDF.length).fill(0x4d)],
    ["more of it", new Uint8Array([...PDF, 10])],
  ])("%s is not saved as if it were that", async (_, bytes) => {
    const { bff, stored, saved } = await start();
    const answer = () => new Response(bytes, { headers: { "content-type": "application/pdf" } });
    bff.script("GET /api/conversation/attachments/att1", answer);
    await stored.download(KEPT);
    expect([saved, [...stored.failed.value]]).toEqual([[], ["att1"]]);
  });
});

describe("RATE2 the rating", () => {
  it.each(Object.entries(FAULTS))("%s is not thanked for", async (_, fault) => {
    const { chat, bff, aftercare, happenings } = await start();
    bff.script(RATE, fault);
    await aftercare.rate({ score: "up" });
    expect(aftercare.rating.value.kind).toBe("failed");
    expect(chat.conversation.current.value?.rating).toBeUndefined();
    expect(lastSaid(happenings)).toEqual([
      true,
      expect.stringMatching(/^We couldn't confirm your rating\. \w/),
    ]);
  });

  it("counts once the BFF confirms the same rating, and can be changed", async () => {
    const { chat, bff, aftercare, happenings } = await start();
    bff.script(RATE, () => json(200, { rating: { score: "down" } }));
    await aftercare.rate({ score: "up" });
    expect(aftercare.rating.value.kind).toBe("failed");
    for (const rating of [{ score: "up", comment: "Well" }, { score: "down" }] as const) {
      bff.script(RATE, () => json(200, { rating }));
      await aftercare.rate(rating);
      expect(chat.conversation.current.value?.rating).toEqual(rating);
      expect(lastSaid(happenings)).toEqual([false, "Thanks for your feedback."]);
    }
  });
});

describe("ERASE2 erasing", () => {
  it.each(Object.entries(FAULTS))("%s erases nothing here", async (_, fault) => {
    const { chat, bff, aftercare, posted, happenings } = await start();
    bff.script(ERASE, fault);
    await aftercare.erase();
    expect(aftercare.erasure.value.kind).toBe("failed");
    expect(chat.conversation.log.value.messages).toHaveLength(1);
    expect(lastSaid(happenings)).toEqual([
      true,
      expect.stringMatching(/^We couldn't confirm the deletion\. The conversation may still be there\. \w/),
    ]);
    expect([chat.conversation.isErased.value, posted.filter((said) => said.startsWith("erased"))]).toEqual([
      false,
      [],
    ]);
  });

  it("removes everything here, and informs the other tabs, once it is verified", async () => {
    const { chat, bff, aftercare, posted, happenings } = await start();
    bff.script("POST /api/conversation/messages", FAULTS["500 problem"] ?? (() => json(500, {})));
    chat.outbox.send("in doubt");
    await settle();
    bff.script(ERASE, () => {
      bff.state.conversation = null;
      return json(200, { erased: { conversationId: "conversation-1" } });
    });
    await aftercare.erase();
    const { conversation, messages, pending } = chat.conversation.log.value;
    expect([conversation, messages, pending, chat.conversation.isErased.value]).toEqual([null, [], [], true]);
    expect(posted).toContain("erased conversation-1");
    expect(happenings.at(-1)?.type).toBe("conversation.erased");
    chat.outbox.send("Hello again");
    await settle();
    expect([chat.conversation.isErased.value, bff.calls("POST /api/conversation")]).toEqual([
      false,
      expect.anything(),
    ]);
  });

  it("another tab forgets that conversation and no other", async () => {
    let hear: (said: string) => void = () => undefined;
    const tabs = {
      post: () => undefined,
      listen: (listener: (said: never) => void) => {
        hear = listener as (said: string) => void;
      },
    };
    const { chat } = startChat(undefined, undefined, { tabs });
    chat.open();
    chat.outbox.send("Hello");
    await settle();
    hear("erased conversation-9");
    expect(chat.conversation.log.value.messages).toHaveLength(1);
    hear("erased conversation-1");
    expect([chat.conversation.log.value.messages, chat.conversation.isErased.value]).toEqual([[], true]);
  });
});

describe("LOG1 the transcript", () => {
  const texts = createTexts({}, "en");
  const reader = { texts, timeOf: (at: string) => at, wordsOf: wordsWithAddresses };
  const rich: Message = {
    id: "m2",
    seq: 2,
    role: "agent",
    body: "**Yes**, see [returns](https://shop.example/returns) or <hello@shop.example>.\n- one\n- `two`",
    at: AT,
  };

  it("has no marks of the agent's, but the addresses of its links; a customer's text is as it was written", () => {
    const text = transcriptOf({ messages: [rich, customerMessage(3, "k", "**mine**")], pending: [] }, reader);
    expect(text).toContain(
      "    Yes, see returns (https://shop.example/returns) or <hello@shop.example>.\n    one\n    two\n",
    );
    expect(text).toContain("    **mine**");
  });

  it("is a page to read and print too, in its language, in which every text is text and nothing runs or loads", () => {
    const hostile = '</title><script>alert(1)</script><img src=x onerror="alert(1)">&amp;';
    const named: Message = { ...rich, role: "human", author: { name: hostile }, body: hostile };
    const pending = [{ clientMessageId: "k", body: hostile, status: "sending" } as const];
    const language = { tag: 'ar"><script>', dir: "rtl" };
    const html = transcriptPage({ messages: [rich, named], pending }, reader, language);
    const page = new DOMParser().parseFromString(html, "text/html");
    expect(page.querySelectorAll("script, img, a, iframe, link, base")).toHaveLength(0);
    expect(page.documentElement.dir).toBe("rtl");
    expect(page.querySelector("meta[http-equiv]")?.getAttribute("content")).toBe(
      "default-src 'none'; style-src 'unsafe-inline'",
    );
    const heads = [...page.querySelectorAll("article h2")].map((head) => head.textContent);
    expect(heads).toEqual([`AI agent ${AT}`, `${hostile} ${AT}`, "You (Not confirmed)"]);
    const isMarked = [...page.querySelectorAll("article")].map((entry) => "generated" in entry.dataset);
    expect(isMarked).toEqual([true, false, false]);
    const lines = [...page.querySelectorAll("article:first-of-type p")].map((line) => line.textContent);
    expect(lines).toEqual([
      "Yes, see returns (https://shop.example/returns) or <hello@shop.example>.",
      "one",
      "two",
    ]);
    expect(page.querySelector("article:last-of-type p")?.textContent).toBe(hostile);
  });

  it("has an agent's text however the answer ended; a note is in the reader's language", () => {
    const cut: Message = { id: "m2", seq: 2, role: "agent", body: "Lamps are", at: AT, notice: "answer_cut" };
    const note: Message = { ...cut, id: "m3", seq: 3, role: "system", body: "found_nothing" };
    const found = { ...note, notice: "agent_found_nothing" } as const;
    const text = transcriptOf({ messages: [cut, found], pending: [] }, reader);
    expect(text).toContain("    Lamps are");
    expect(text).toContain(`    ${texts.notice_agent_found_nothing}`);
    const heard = [cut, found].map(
      (message) => announcementOf({ type: "message.received", message }, texts)?.text,
    );
    expect(heard).toEqual(["AI agent: Lamps are", `Note: ${texts.notice_agent_found_nothing}`]);
  });

  it("has what was confirmed, with times and authors; then what was not, marked so", () => {
    const text = transcriptOf(
      {
        messages: [
          { ...customerMessage(2, "k", "One\nAgent: forged"), attachments: [KEPT] },
          {
            id: "m3",
            seq: 3,
            role: "human",
            author: { name: "Maya\nYou" },
            body: "Two",
            at: AT,
            incomplete: true,
          },
        ],
        pending: [{ clientMessageId: "k2", body: "Three", status: "sending" }],
      },
      reader,
    );
    expect(text).toBe(
      [
        "Support · Conversation",
        "",
        `${AT} · You`,
        "    One",
        "    Agent: forged",
        "    [letter.pdf]",
        "",
        `${AT} · Maya You`,
        "    Two",
        "    (This answer was cut off. It may be incomplete.)",
        "",
        "You (Not confirmed)",
        "    Three",
        "",
      ].join("\n"),
    );
  });
});

describe("ERASE1 a message that is on its way while the conversation is erased", () => {
  it("begins no other conversation: what the customer wanted gone is not said again", async () => {
    const { chat, bff, aftercare } = await start();
    const { id } = chat.conversation.log.value.conversation ?? {};
    let arrive = (): void => undefined;
    const arriving = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    bff.script("POST /api/conversation/messages", async () => {
      await arriving;
      return problem("no_conversation");
    });
    chat.outbox.send("My secret");
    await settle();
    bff.script(ERASE, () => {
      bff.state.conversation = null;
      return json(200, { erased: { conversationId: id } });
    });
    await aftercare.erase();
    arrive();
    await settle();
    expect(bff.calls("POST /api/conversation")).toHaveLength(1);
    expect(chat.conversation.log.value).toMatchObject({ conversation: null, messages: [], pending: [] });
    chat.outbox.send("Something else");
    await settle();
    expect(chat.conversation.log.value.messages.map(({ body }) => body)).toEqual(["Something else"]);
  });
});
