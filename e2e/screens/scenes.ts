import { ACTION_SCENES } from "./action-scenes.ts";
import { answered, asked, ended, person, say, saysPart, sees, withPerson } from "./conversations.ts";
import { lightbox, picked, refused, withFiles } from "./file-scenes.ts";
import { past, pastRead, pastSearch } from "./past-scenes.ts";
import { TROUBLES } from "./trouble-scenes.ts";
import { EVERYTHING, NOW, problem, type Scene } from "./visit.ts";
import { WAITING } from "./waiting-scenes.ts";

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
    name: "feedback",
    capabilities: [...EVERYTHING, "feedback"],
    conversation: (words) => ({
      messages: answered(words).map((message) =>
        message.role === "agent" ? { ...message, feedback: "up" } : message,
      ),
    }),
    act: (visit) => visit.frame.getByRole("button", { name: visit.names.helpful, pressed: true }).waitFor(),
  },
  {
    name: "feedback-not-confirmed",
    capabilities: [...EVERYTHING, "feedback"],
    conversation: (words) => ({ messages: answered(words) }),
    answers: { "POST /api/conversation/feedback": problem(503, "support_unreachable") },
    act: async (visit) => {
      await visit.press(visit.names.notHelpful);
      await sees(visit, visit.names.rateNotConfirmed);
    },
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
  ...WAITING,
  ...ACTION_SCENES,
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
  ...TROUBLES,
];
