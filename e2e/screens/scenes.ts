import type { Route } from "@playwright/test";
import { FILE_NAME_HEADER } from "../../shared/attachment.ts";
import type { Message } from "../../shared/message.ts";
import { photo } from "./photo.ts";
import { EVERYTHING, json, NOW, problem, type Scene, type Visit } from "./visit.ts";
import { WORDS, type Words } from "./words.ts";

const at = (minute: number) => `2026-11-20T10:${String(minute).padStart(2, "0")}:00.000Z`;

const say = (seq: number, role: Message["role"], body: string, more: Partial<Message> = {}): Message => ({
  id: `m${seq}`,
  seq,
  role,
  body,
  at: at(10 + seq),
  ...(role === "customer" ? { clientMessageId: `k${seq}` } : {}),
  ...more,
});

const asked = ({ question }: Words) => [say(2, "customer", question)];
const answered = (words: Words) => [
  ...asked(words),
  say(3, "agent", words.answer, {
    citations: [
      { citationId: "a1", title: words.source, url: "https://lamps.example/repairs", excerpt: words.excerpt },
    ],
  }),
];
const withPerson = (words: Words) => [
  ...answered(words),
  say(4, "human", words.asks, { author: { name: words.human } }),
  say(5, "customer", words.lamp),
  say(6, "human", words.price, { author: { name: words.human } }),
];
const person = ({ human }: Words) => ({
  id: "h1",
  status: "accepted" as const,
  human: { name: human },
});

const PHOTO_SIZE = photo().length;
const RECEIPT_SIZE = 183_004;
const files = ({ invoice, receipt }: Words) => [
  { id: "f1", name: invoice, type: "image/png" as const, size: PHOTO_SIZE },
  { id: "f2", name: receipt, type: "application/pdf" as const, size: RECEIPT_SIZE },
];

const sees = (visit: Visit, text: string | RegExp) => visit.frame.getByText(text).last().waitFor();
const saysPart = (text: string) => text.slice(0, 12);

/** A message with a picture and a document. */
export const withFiles: Scene = {
  name: "attachments-sent",
  conversation: (words) => ({
    handoff: person(words),
    messages: [...withPerson(words), say(7, "customer", words.photo, { attachments: files(words) })],
  }),
  answers: {
    "GET /api/conversation/attachments/f1": (route) =>
      route.fulfill({ contentType: "image/png", body: photo() }),
  },
  act: async (visit) => {
    await visit.frame.locator(".message-files__file img").waitFor();
  },
};

const lightbox: Scene = {
  ...withFiles,
  name: "lightbox",
  act: async (visit) => {
    await visit.frame.getByRole("button", { name: visit.words.invoice }).click();
    await visit.frame.getByRole("dialog", { name: visit.words.invoice }).getByRole("img").waitFor();
  },
};

const picked: Scene = {
  name: "attachments-picked",
  conversation: (words) => ({ handoff: person(words), messages: withPerson(words) }),
  act: async (visit) => {
    const { words } = visit;
    await visit.page.context().route("**/api/conversation/attachments", (route) => {
      const name = decodeURIComponent(route.request().headers()[FILE_NAME_HEADER] ?? "");
      return json(201, { attachment: files(words).find((file) => file.name === name) })(route);
    });
    await visit.frame.locator('input[type="file"]').setInputFiles([
      { name: words.invoice, mimeType: "image/png", buffer: photo() },
      { name: words.receipt, mimeType: "application/pdf", buffer: Buffer.alloc(RECEIPT_SIZE, "%PDF-1.4\n") },
    ]);
    await visit.frame.getByText(words.receipt).first().waitFor();
    await visit.frame.locator("progress").first().waitFor({ state: "detached" });
  },
};

const refused: Scene = {
  name: "file-refused",
  conversation: (words) => ({ handoff: person(words), messages: withPerson(words) }),
  act: async (visit) => {
    const page = { name: "page.html", mimeType: "text/html", buffer: Buffer.from("<!doctype html>") };
    await visit.frame.locator('input[type="file"]').setInputFiles([page]);
    await visit.frame.getByText(visit.names.problem_file_not_allowed).first().waitFor();
  },
};

/** The words of the panel that asks. */
const wordsOf = (route: Route): Words =>
  WORDS[/ar/.test(route.request().headers()["accept-language"] ?? "") ? "ar" : "en"];

const ownConversations = (words: Words) => {
  const human = { role: "human", name: words.human };
  const closed = { isCurrent: false, status: "ended" };
  return [
    {
      reference: "a",
      isCurrent: true,
      status: "open",
      startedAt: at(12),
      firstWords: words.question,
      answeredBy: human,
    },
    {
      ...closed,
      reference: "b",
      startedAt: "2026-10-02T09:30:00.000Z",
      firstWords: words.neighbour,
      answeredBy: { role: "agent" },
      ended: { at: "2026-10-02T09:40:00.000Z", by: "customer" },
    },
    {
      ...closed,
      reference: "c",
      startedAt: "2026-08-14T10:12:00.000Z",
      firstWords: words.lamp,
      answeredBy: human,
      ended: { at: "2026-08-14T10:30:00.000Z", by: "human" },
    },
  ];
};

const openPast = async (visit: Visit) => {
  await visit.press(visit.names.more);
  await visit.press(visit.names.past);
  await visit.frame.getByRole("dialog", { name: visit.names.past }).getByRole("listitem").first().waitFor();
};

const past: Scene = {
  name: "past-conversations",
  capabilities: [...EVERYTHING, "history"],
  conversation: (words) => ({ handoff: person(words), messages: withPerson(words) }),
  answers: {
    "GET /api/conversations": (route) =>
      json(200, { conversations: ownConversations(wordsOf(route)) })(route),
  },
  act: openPast,
};

const pastRead: Scene = {
  ...past,
  name: "past-read",
  capabilities: [...EVERYTHING, "history", "reopen"],
  answers: {
    ...past.answers,
    "GET /api/conversations/messages": (route) =>
      json(200, {
        messages: withPerson(wordsOf(route)).map((one) => ({
          ...one,
          at: one.at.replace("2026-11-20", "2026-08-14"),
        })),
      })(route),
  },
  act: async (visit) => {
    await openPast(visit);
    const dialog = visit.frame.getByRole("dialog", { name: visit.names.past });
    await dialog.getByRole("button", { name: visit.words.lamp }).click();
    await dialog.getByText(saysPart(visit.words.price)).waitFor();
  },
};

const pastSearch: Scene = {
  ...past,
  name: "past-search",
  capabilities: [...EVERYTHING, "history", "search"],
  answers: {
    "GET /api/conversations": (route) =>
      json(200, { conversations: ownConversations(wordsOf(route)), next: "more" })(route),
    "POST /api/conversations/search": (route) => {
      const words = wordsOf(route);
      const { text } = route.request().postDataJSON() as { readonly text: string };
      const found = ownConversations(words)
        .slice(2)
        .map((one) => ({ ...one, excerpt: words.price }));
      return json(200, { conversations: found, text })(route);
    },
  },
  act: async (visit) => {
    await openPast(visit);
    const box = visit.frame.getByRole("searchbox", { name: visit.names.searchPast });
    await box.fill(visit.words.search);
    await box.press("Enter");
    await visit.frame.getByText(saysPart(visit.words.price)).last().waitFor();
  },
};

/** Outside of the hours: the place in the queue, when support opens, and the box for an address. */
const waiting: Scene = {
  name: "waiting",
  capabilities: [...EVERYTHING, "contact"],
  hours: { opensAt: "2026-11-21T09:00:00.000Z" },
  conversation: (words) => ({
    handoff: { id: "h1", status: "requested", wait: { place: 2, opensAt: "2026-11-21T09:00:00.000Z" } },
    messages: answered(words),
  }),
  act: async (visit) => {
    await visit.press(visit.names.contactOffer);
    const box = visit.frame.getByRole("textbox", { name: visit.names.contactOffer });
    await box.fill("ann@shop.example");
  },
};

const ended = (words: Words) => ({
  status: "ended" as const,
  messages: [...withPerson(words), say(7, "customer", words.thanks)],
});

/** Every state that a customer can see, in the order in which they would. */
export const SCENES: readonly Scene[] = [
  {
    name: "launcher-unread",
    conversation: (words) => ({ messages: answered(words) }),
    settings: () => ({ teaser: "false" }),
    act: async (visit) => {
      await sees(visit, visit.words.source);
      await visit.close();
      for (const body of [visit.words.asks, visit.words.price])
        visit.stage.say({ role: "human", body, author: { name: visit.words.human }, at: NOW });
      await visit.page.locator('[data-parley="2"]').waitFor();
    },
  },
  {
    name: "teaser",
    conversation: (words) => ({ handoff: person(words), messages: answered(words) }),
    act: async (visit) => {
      await sees(visit, visit.words.source);
      await visit.close();
      visit.stage.say({
        role: "human",
        body: visit.words.price,
        author: { name: visit.words.human },
        at: NOW,
      });
      await visit.frame.locator(".teaser__teaser").waitFor();
      await visit.page.locator('[data-parley="1"]').waitFor();
    },
    hold: (visit) => visit.frame.getByRole("button", { name: visit.names.closeTeaser, exact: true }).focus(),
  },
  { name: "first-screen", act: (visit) => sees(visit, visit.words.question) },
  {
    name: "first-screen-bare",
    settings: () => ({ suggestions: "" }),
    act: (visit) => visit.frame.getByRole("textbox").waitFor(),
  },
  {
    name: "answer",
    conversation: (words) => ({ messages: answered(words) }),
    act: (visit) => sees(visit, visit.words.source),
  },
  {
    name: "streaming",
    conversation: (words) => ({ messages: asked(words) }),
    act: async (visit) => {
      await sees(visit, visit.words.question);
      await visit.frame.getByText(visit.names.statusAgent).waitFor();
      visit.stage.signal({ type: "response.snapshot", messageId: "m3", text: visit.words.streaming });
      await visit.frame.locator('[data-state="answer"]').waitFor();
    },
  },
  {
    name: "table-code-list",
    conversation: (words) => ({ messages: [...asked(words), say(3, "agent", words.rich)] }),
    act: (visit) => sees(visit, "PIERHEAD-E27"),
  },
  {
    name: "unread-divider",
    conversation: (words) => ({ handoff: person(words), messages: answered(words) }),
    act: async (visit) => {
      await sees(visit, visit.words.source);
      await visit.close();
      for (const body of [visit.words.asks, visit.words.price])
        visit.stage.say({ role: "human", body, author: { name: visit.words.human }, at: NOW });
      await visit.page.locator('[data-parley="2"]').waitFor();
      await visit.open();
      await visit.frame.locator("[data-new]").waitFor();
    },
  },
  {
    name: "not-confirmed",
    conversation: (words) => ({ messages: answered(words) }),
    answers: { "POST /api/conversation/messages": problem(504, "support_timeout") },
    act: async (visit) => {
      await visit.write(visit.words.neighbour);
      await visit.frame.getByRole("button", { name: visit.names.retry }).first().waitFor();
    },
  },
  {
    name: "offline-kept",
    conversation: (words) => ({ messages: answered(words) }),
    act: async (visit) => {
      await sees(visit, visit.words.source);
      await visit.page.context().setOffline(true);
      await visit.write(visit.words.neighbour);
      await visit.write(visit.words.another);
      await sees(visit, visit.words.another);
      await visit.frame.getByText(visit.names.queued).first().waitFor();
      await visit.frame.getByText(visit.names.statusAgent, { exact: true }).waitFor({ state: "hidden" });
    },
  },
  {
    name: "person-asked",
    conversation: (words) => ({ messages: answered(words) }),
    act: async (visit) => {
      await sees(visit, visit.words.source);
      visit.stage.signal({
        type: "handoff.requested",
        seq: 4,
        at: NOW,
        handoff: { id: "h1", status: "requested" },
      });
      await visit.frame.getByText(visit.names.markRequested, { exact: true }).first().waitFor();
    },
  },
  {
    name: "person-here",
    conversation: (words) => ({ handoff: person(words), messages: withPerson(words), read: { human: 5 } }),
    act: (visit) => sees(visit, saysPart(visit.words.price)),
  },
  picked,
  withFiles,
  lightbox,
  refused,
  waiting,
  past,
  pastRead,
  pastSearch,
  {
    name: "person-not-confirmed",
    conversation: (words) => ({ messages: answered(words) }),
    answers: { "POST /api/conversation/handoff": problem(504, "support_timeout") },
    act: async (visit) => {
      await visit.press(visit.names.talkToPerson);
      await visit.frame.getByText(visit.names.personNotConfirmed).first().waitFor();
    },
  },
  {
    name: "end-not-confirmed",
    conversation: (words) => ({ messages: answered(words) }),
    answers: { "DELETE /api/conversation": problem(504, "support_timeout") },
    act: async (visit) => {
      await visit.press(visit.names.endConversation);
      await visit.frame.getByRole("alertdialog").getByRole("button").first().click();
      await visit.frame.getByText(visit.names.endNotConfirmed).first().waitFor();
    },
  },
  {
    name: "menu",
    conversation: (words) => ({ handoff: person(words), messages: withPerson(words) }),
    act: async (visit) => {
      await visit.press(visit.names.more);
      await visit.frame
        .getByRole("button", { name: `${visit.names.downloadTranscript} TXT`, exact: true })
        .waitFor();
    },
  },
  {
    name: "confirm-end",
    conversation: (words) => ({ handoff: person(words), messages: withPerson(words) }),
    act: async (visit) => {
      await sees(visit, saysPart(visit.words.price));
      await visit.press(visit.names.endConversation);
      await visit.frame.getByRole("alertdialog").waitFor();
    },
  },
  {
    name: "ended-rating",
    conversation: ended,
    act: async (visit) => {
      await visit.frame.getByText(visit.names.rateQuestion).waitFor();
      await visit.frame.getByText(visit.names.rateGood, { exact: true }).click();
      await visit.frame.getByText(visit.names.rateSend, { exact: true }).waitFor();
    },
  },
  {
    name: "rated",
    conversation: (words) => ({ ...ended(words), rating: { score: "up" } }),
    act: (visit) => visit.frame.getByText(visit.names.rateChange).waitFor(),
  },
  {
    name: "confirm-delete",
    conversation: ended,
    act: async (visit) => {
      await visit.press(visit.names.more);
      await visit.press(visit.names.eraseConversation);
      await visit.frame.getByRole("alertdialog").waitFor();
    },
  },
  {
    name: "identity-failed",
    settings: () => ({ identityUrl: "/chat-identity" }),
    answers: { "POST /api/session": problem(401, "identity_bad_signature") },
    act: async (visit) => {
      await visit.frame.getByRole("button", { name: visit.names.stayAnonymous }).waitFor();
    },
  },
  {
    name: "unreachable-fallback",
    answers: {
      "POST /api/session": problem(503, "support_unreachable"),
      "GET /api/config": json(200, {
        version: "0",
        siteId: "parley",
        identityPolicy: "optional",
        fallback: { kind: "mail", href: "mailto:help@lamps.example" },
      }),
    },
    act: async (visit) => {
      await visit.write(visit.words.question);
      await visit.frame.getByRole("link", { name: visit.names.fallback_mail }).waitFor();
    },
  },
  {
    name: "one-way-service",
    capabilities: [],
    act: (visit) => visit.frame.getByText(visit.names.statusOneWay).waitFor(),
  },
];
