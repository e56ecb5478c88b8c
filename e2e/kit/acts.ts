import { expect, type Locator } from "@playwright/test";
import type { Endpoint } from "../upstream/endpoint.ts";
import { CLAIMS } from "./claims.ts";
import { endConversation } from "./panel.ts";
import type { Visitor } from "./stage.ts";

/** The panel's label for an unconfirmed message. */
export const DOUBT = /not confirmed|couldn't confirm|(?:can't|couldn't) reach support/i;
export const QUESTION = "Where is my lamp?";
/** The label of a confirmed message, next to its time. */
export const SENT = /\bSent\b/;

/** One thing that a customer does, and the call that it needs. */
export interface Act {
  readonly rule: string;
  readonly endpoint: Endpoint;
  /** The BFF path that it calls. */
  readonly address: RegExp;
  readonly words: RegExp;
  readonly before: (visitor: Visitor) => Promise<void>;
  readonly act: (visitor: Visitor) => Promise<void>;
  readonly again: (visitor: Visitor) => Promise<void>;
  /** The texts that must still be shown as unconfirmed. */
  readonly kept?: string;
  readonly done: (visitor: Visitor) => Promise<void>;
}

const OFFER_MS = 3_000;
/** Presses the button if it exists. The panel's own retry may remove it first; then there is nothing to press. */
async function pressIfOffered(button: Locator): Promise<void> {
  if (await button.isVisible()) await button.click({ timeout: OFFER_MS });
}

export const converse = async ({ panel }: Visitor) => {
  await panel.say("How long does delivery take?");
  const answer = panel.log.getByText("2 to 4 business days").first();
  // After the failures of the previous test the BFF may delay this call for some seconds, which its answer names.
  await expect(async () => {
    await pressIfOffered(panel.button("Retry"));
    await expect(answer).toBeVisible({ timeout: 3_000 });
  }).toPass({ timeout: 90_000 });
};
export const retry = ({ panel }: Visitor) => panel.button("Retry").click();
const TRY_AGAIN_MS = 20_000;
/** Bounded: if the panel's own retry came first there is no button, and the caller checks again. */
export const tryAgain = ({ panel }: Visitor) =>
  panel.frame
    .getByRole("button", { name: /^(Retry|Try again)\b/ })
    .first()
    .click({ timeout: TRY_AGAIN_MS });
export const isSent = async ({ panel }: Visitor) => {
  await expect(panel.log.getByText("Not confirmed")).toHaveCount(0);
  await expect(panel.log.getByText(SENT).last()).toBeVisible();
  await expect(panel.log.getByText(QUESTION)).toHaveCount(1);
};
export const ask = ({ panel }: Visitor) => panel.say(QUESTION);

function messageAct(endpoint: Endpoint, address: RegExp, before: Act["before"]): Act {
  const message = { words: CLAIMS.message, act: ask, again: retry, kept: QUESTION, done: isSent };
  return { rule: "MSG", endpoint, address, before, ...message };
}
/** Does nothing except wait for the session: a fault set earlier would hit the session's start instead of the act. */
export const nothing = ({ started }: Visitor) => started();

export const ACTS: readonly (Act & { readonly name: string })[] = [
  { name: "the first message", ...messageAct("conversations", /\/api\/conversation$/, nothing) },
  { name: "the first message", ...messageAct("turns", /\/api\/conversation(\/messages)?$/, nothing) },
  { name: "a later message", ...messageAct("turns", /\/api\/conversation(\/messages)?$/, converse) },
  {
    name: "asking for a person",
    rule: "HANDOFF",
    endpoint: "handoffs",
    address: /\/api\/conversation\/handoff$/,
    words: CLAIMS.person,
    before: converse,
    act: ({ panel }) => panel.button("Talk to a person").click(),
    again: tryAgain,
    done: ({ panel }) => expect(panel.frame.getByText(/we've asked a teammate/i).first()).toBeVisible(),
  },
  {
    name: "the end",
    rule: "END",
    endpoint: "endConversation",
    address: /\/api\/conversation$/,
    words: CLAIMS.end,
    before: converse,
    act: ({ panel }) => endConversation(panel),
    again: tryAgain,
    done: ({ panel }) => expect(panel.frame.getByText(/conversation has ended/i).first()).toBeVisible(),
  },
];

const SUMMARY = "Add a summary for our team";

/** The acts of a whole service besides the conversation itself, tested concurrently. */
export const ASIDE: readonly Act[] = [
  {
    rule: "ATT9",
    endpoint: "attachments",
    address: /\/api\/conversation\/attachments$/,
    words: CLAIMS.file,
    before: converse,
    act: ({ panel }) =>
      panel.frame
        .locator('input[type="file"]')
        .setInputFiles([
          { name: "letter.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.7\n%%EOF\n") },
        ]),
    again: tryAgain,
    kept: "letter.pdf",
    done: async ({ panel }) => {
      await expect(panel.button("Remove letter.pdf")).toBeVisible();
      await expect(panel.button("Send")).toHaveAttribute("aria-disabled", "false");
    },
  },
  {
    rule: "HAND6",
    endpoint: "sendSummary",
    address: /\/api\/conversation\/summary$/,
    words: CLAIMS.summary,
    before: async (visitor) => {
      const { panel } = visitor;
      await converse(visitor);
      await panel.button("Talk to a person").click();
      await panel.button(SUMMARY).click();
      await expect(panel.frame.getByRole("textbox", { name: SUMMARY })).not.toHaveValue("");
    },
    act: ({ panel }) => {
      const form = panel.frame.locator("form").filter({ has: panel.frame.getByLabel(SUMMARY) });
      return form.getByRole("button", { name: "Send" }).click();
    },
    again: tryAgain,
    done: ({ panel }) => expect(panel.frame.getByText("Summary sent to our team.").first()).toBeVisible(),
  },
  {
    rule: "HELP2",
    endpoint: "feedback",
    address: /\/api\/conversation\/feedback$/,
    words: CLAIMS.feedback,
    before: async (visitor) => {
      await converse(visitor);
      await visitor.panel.button("Helpful").waitFor();
    },
    act: ({ panel }) => panel.button("Helpful").click(),
    again: tryAgain,
    done: ({ panel }) => expect(panel.button("Helpful")).toHaveAttribute("aria-pressed", "true"),
  },
  {
    rule: "RATE2",
    endpoint: "ratings",
    address: /\/api\/conversation\/rating$/,
    words: CLAIMS.rating,
    before: async (visitor) => {
      const { panel } = visitor;
      await converse(visitor);
      await endConversation(panel);
      const good = panel.frame.getByRole("radio", { name: "Good" });
      // A connection that the service has just closed leaves the end unconfirmed: the customer tries again, as anybody
      // would.
      await expect(async () => {
        await pressIfOffered(panel.button("Retry"));
        await good.check({ timeout: OFFER_MS });
      }).toPass({ timeout: 90_000 });
    },
    act: ({ panel }) => panel.button("Send rating").click(),
    again: tryAgain,
    done: ({ panel }) => expect(panel.frame.getByText("Thanks for your feedback.").first()).toBeVisible(),
  },
  {
    rule: "ERASE2",
    endpoint: "eraseConversation",
    address: /\/api\/conversation\/content$/,
    words: CLAIMS.erasure,
    before: converse,
    act: async ({ panel }) => {
      await panel.button("More").click();
      await panel.button("Delete my conversation").click();
      await panel.frame
        .getByRole("alertdialog")
        .getByRole("button", { name: "Delete my conversation" })
        .click();
    },
    again: tryAgain,
    kept: "2 to 4 business days",
    done: async ({ panel }) => {
      await expect(panel.frame.getByText("The conversation has been deleted.").first()).toBeVisible();
      await expect(panel.log).not.toContainText("2 to 4 business days");
    },
  },
];
