import { describe, expect, it } from "vitest";
import { MAX_ATTACHMENT_BYTES } from "../../shared/limits.ts";
import { AttachmentsModel, MAX_FILES } from "./attachments.ts";
import { ChatFailure } from "./chat-failure.ts";
import { LEFT_FILES } from "./session-storage.ts";
import { settle } from "./testing/manual-time.ts";
import { customerMessage, FAULTS, json } from "./testing/scripted-bff.ts";
import { createMapStorage, startChat } from "./testing/start-chat.ts";
import { KEPT, keptAnswer, lastSaid, PDF, pdf, startExtras } from "./testing/start-extras.ts";
import { createTexts } from "./texts.ts";

describe("ATT9 files of the next message", () => {
  it("count as stored once the BFF verifiably says so, and are sent with the message", async () => {
    const { chat, bff, pick, states, uploads, attachments, tabStorage, happenings } = await startExtras();
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
    const { chat, bff, pick } = await startExtras();
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
    const { chat, pick, states, uploads, attachments, happenings } = await startExtras(async () =>
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

  it("a proxy's 413 is no outage: support didn't accept the file", async () => {
    const { pick, happenings } = await startExtras(
      async () => new Response("", { status: 413, headers: { "content-type": "text/html" } }),
    );
    await pick(pdf());
    expect(lastSaid(happenings)).toEqual([
      true,
      "We couldn't confirm this file: letter.pdf. Support didn't accept this.",
    ]);
  });

  it("SAY1 a refusal is announced without a doubt", async () => {
    const { pick, happenings } = await startExtras();
    await pick(new File([PDF, new Uint8Array(MAX_ATTACHMENT_BYTES)], "large.pdf"));
    expect(lastSaid(happenings)).toEqual([true, "large.pdf: This file is over 10 MB."]);
  });

  it("no byte is sent of a file that is too large, or neither a picture nor a PDF by its bytes", async () => {
    const { chat, pick, states, uploads, attachments, revoked } = await startExtras();
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
    expect([uploads, states(), revoked]).toEqual([[], [], []]);
  });

  it("a refused file holds no message back, stays with its reason and takes no room", async () => {
    const { chat, pick, states, attachments, happenings } = await startExtras();
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
    const { pick, states, attachments } = await startExtras();
    await pick(...Array.from({ length: MAX_FILES + 1 }, (_, index) => pdf(`${index}.pdf`)));
    expect(states()).toHaveLength(MAX_FILES);
    expect(attachments.isTooMany.value).toBe(true);
  });

  it("only accepted files count as one of the four, also of two picks that overlap", async () => {
    const { chat, pick, states, attachments } = await startExtras();
    const svg = new File(["<svg/>"], "a.svg");
    const large = new File([PDF, new Uint8Array(MAX_ATTACHMENT_BYTES)], "large.pdf");
    chat.composer.picked.value = [svg, pdf("1.pdf"), large, pdf("2.pdf"), pdf("3.pdf")];
    await pick(pdf("4.pdf"), pdf("5.pdf"));
    expect(states()).toHaveLength(MAX_FILES);
    expect(chat.composer.refused.value.map(({ file }) => file.name)).toEqual(["a.svg", "large.pdf"]);
    expect(attachments.isTooMany.value).toBe(true);
  });

  it("no message goes while a file is looked at, and a logout meanwhile forgets it", async () => {
    const { chat, pick, states, uploads } = await startExtras();
    const isPicked = pick(pdf());
    expect(chat.composer.files.value).toBeUndefined();
    await chat.identity.logout();
    await isPicked;
    expect([states(), uploads, chat.composer.files.value]).toEqual([[], [], []]);
  });

  it("SAY1 a removed file stops its upload; the removal is announced, and a late answer is not", async () => {
    let answer: (given: Response) => void = () => undefined;
    const { chat, pick, states, uploads, attachments, happenings } = await startExtras(
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
    const { chat, pick, states, revoked, tabStorage } = await startExtras();
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
