import type { Route } from "@playwright/test";
import { actionsOf } from "./action-scenes.ts";
import { at, person, saysPart, withPerson } from "./conversations.ts";
import { EVERYTHING, json, type Scene, type Visit } from "./visit.ts";
import { WORDS, type Words } from "./words.ts";

/** The words of the panel that asks. */
export const wordsOf = (route: Route): Words =>
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

export const past: Scene = {
  name: "past-conversations",
  capabilities: [...EVERYTHING, "history"],
  conversation: (words) => ({ handoff: person(words), messages: withPerson(words) }),
  answers: {
    "GET /api/conversations": (route) =>
      json(200, { conversations: ownConversations(wordsOf(route)) })(route),
  },
  act: openPast,
};

export const pastRead: Scene = {
  ...past,
  name: "past-read",
  capabilities: [...EVERYTHING, "history", "reopen"],
  answers: {
    ...past.answers,
    "GET /api/conversations/messages": (route) =>
      json(200, {
        messages: withPerson(wordsOf(route)).map((one) => ({
          ...one,
          seq: one.seq * 2,
          at: one.at.replace("2026-11-20", "2026-08-14"),
        })),
        // After the answer that asked for it.
        actions: actionsOf(wordsOf(route))
          .slice(0, 1)
          .map((one) => ({ ...one, seq: 7 })),
      })(route),
  },
  act: async (visit) => {
    await openPast(visit);
    const dialog = visit.frame.getByRole("dialog", { name: visit.names.past });
    await dialog.getByRole("button", { name: visit.words.lamp }).click();
    await dialog.getByText(saysPart(visit.words.price)).waitFor();
  },
};

export const pastSearch: Scene = {
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
