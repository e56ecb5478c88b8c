import { answered, asked, say, sees } from "./conversations.ts";
import { EVERYTHING, type Scene } from "./visit.ts";
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
export const WAITING: readonly Scene[] = [hours, notFound, waiting, addressTaken, nobody];
