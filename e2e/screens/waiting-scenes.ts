import { expect } from "@playwright/test";
import { answered, asked, say, sees } from "./conversations.ts";
import { wordsOf } from "./past-scenes.ts";
import { EVERYTHING, json, type Scene } from "./visit.ts";
import { NAMES, WORDS, type Words } from "./words.ts";

const CAPABILITIES = [...EVERYTHING, "contact"];
const EMAIL = "ann@shop.example";

/** Outside of the hours, before a person is asked for. */
const hours: Scene = {
  name: "hours-before-asking",
  hours: { opensAt: "2026-11-23T09:00:00.000Z" },
  conversation: (words) => ({ messages: answered(words) }),
  act: (visit) => sees(visit, visit.names.opens.replace("{when}", "").trim()),
};

/** The agent could not find an answer, and offers a person. */
const notFound: Scene = {
  name: "person-offered",
  conversation: (words) => ({
    messages: [
      ...asked(words),
      say(3, "agent", words.notFound, {
        choices: [{ id: "person", label: namesOf(words).talkToPerson, choice: "handoff" }],
      }),
    ],
  }),
  act: (visit) =>
    visit.frame.getByRole("group").getByRole("button", { name: visit.names.talkToPerson }).waitFor(),
};

/** The place in the queue, when support opens, and the box for an address. */
const waiting: Scene = {
  name: "waiting",
  capabilities: CAPABILITIES,
  hours: { opensAt: "2026-11-21T09:00:00.000Z" },
  conversation: (words) => ({
    handoff: { id: "h1", status: "requested", wait: { place: 2, opensAt: "2026-11-21T09:00:00.000Z" } },
    messages: answered(words),
  }),
  act: async (visit) => {
    await visit.press(visit.names.contactOffer);
    const box = visit.frame.getByRole("textbox", { name: visit.names.contactOffer });
    await box.fill(EMAIL);
  },
};

const addressTaken: Scene = {
  name: "address-taken",
  capabilities: CAPABILITIES,
  conversation: (words) => ({
    handoff: { id: "h1", status: "requested", wait: { place: 2, usualSeconds: 240 } },
    contact: { email: EMAIL },
    messages: answered(words),
  }),
  act: (visit) => visit.frame.getByRole("button", { name: visit.names.contactChange }).waitFor(),
};

/** The box with what the service proposes to tell the team. */
const summary: Scene = {
  name: "summary",
  capabilities: [...EVERYTHING, "summary"],
  conversation: (words) => ({
    handoff: { id: "h1", status: "requested", wait: { place: 2, usualSeconds: 240 } },
    messages: answered(words),
  }),
  answers: {
    "GET /api/conversation/summary": (route) => {
      const words = wordsOf(route);
      const texts = [words.question, `${namesOf(words).agent}: ${words.source}`];
      const sentences = texts.map((text, index) => ({ text, seq: index + 2 }));
      return json(200, { summary: { handoffId: "h1", sentences } })(route);
    },
  },
  act: async (visit) => {
    await visit.press(visit.names.summaryOffer);
    const box = visit.frame.getByRole("textbox", { name: visit.names.summaryOffer });
    await expect(box).not.toHaveValue("");
  },
};

/** The team verifiably has it. */
const summarySent: Scene = {
  name: "summary-sent",
  capabilities: [...EVERYTHING, "summary"],
  conversation: (words) => {
    const messages = answered(words);
    const seq = (messages.at(-1)?.seq ?? 1) + 1;
    const mark = { at: messages.at(-1)?.at ?? "" };
    const marks = [
      { ...mark, seq, type: "handoff.requested" as const },
      { ...mark, seq: seq + 1, type: "summary.sent" as const },
    ];
    return { handoff: { id: "h1", status: "requested" }, messages, marks, lastSeq: seq + 1 };
  },
  // The log has the mark at once; the sentence below it comes with a file of its own.
  act: (visit) => sees(visit, new RegExp(`${visit.names.summarySent}\\.`)),
};

const nobody: Scene = {
  name: "nobody-available",
  capabilities: CAPABILITIES,
  conversation: (words) => ({ handoff: { id: "h1", status: "failed" }, messages: answered(words) }),
  act: async (visit) => {
    await sees(visit, visit.names.markFailed);
    await visit.frame.getByRole("button", { name: visit.names.contactOffer }).waitFor();
  },
};

const namesOf = (words: Words) => NAMES[words === WORDS.ar ? "ar" : "en"];

/** On the way to a person. */
export const WAITING: readonly Scene[] = [
  hours,
  notFound,
  waiting,
  addressTaken,
  summary,
  summarySent,
  nobody,
];
