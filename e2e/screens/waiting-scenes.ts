import { answered } from "./conversations.ts";
import { EVERYTHING, type Scene } from "./visit.ts";

/** Outside of the hours: the place in the queue, when support opens, and the box for an address. */
export const waiting: Scene = {
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
