import { createScriptedAgent } from "../agents.ts";

const PIECES = ["Delivery takes ", "2 to 4 ", "business days."] as const;

/** Answers every question alike, with a source. It fails after its first words where the question says `#error`. */
export const answeringAgent = createScriptedAgent(
  async function* ({ text }) {
    for (const [at, piece] of PIECES.entries()) {
      if (at === 1 && text.includes("#error")) throw new Error("asked to fail");
      yield { type: "delta", text: piece };
    }
    yield {
      type: "citation",
      citation: {
        citationId: "shipping-2",
        title: "Shipping",
        url: "https://shop.example/help/shipping",
        excerpt: "Parcels arrive after 2 to 4 business days.",
      },
    };
  },
  { id: "assistant" },
);

/** Accepts every question and never answers, so that a log contains only a test's own entries. */
export const silentAgent = createScriptedAgent(
  (_question, signal) => ({
    [Symbol.asyncIterator]: () => ({
      next: () =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => resolve({ done: true, value: undefined }), { once: true });
        }),
    }),
  }),
  { id: "knowledge" },
);
