import type { Tool } from "../agents/tool.ts";
import type { ActionReport } from "../store/actions.ts";
import { createAddressesGuard } from "./addresses-guard.ts";
import type { ActionKind } from "./claim-phrases.ts";
import { kindsNamedIn } from "./claims.ts";
import { createClaimsGuard, type VerifiedResult } from "./claims-guard.ts";

/** What stands between an agent's text and the customer. */
export interface AnswerGuard {
  /** Takes a piece of the agent's text and returns what may be shown now. */
  add(delta: string): string;
  /** Returns the rest at the end of the text. */
  end(): string;
  /** A source of the text that follows: its addresses may be repeated. */
  allow(source: string): void;
  /** What a reading tool returned: its addresses may be repeated, and its status may be reported. */
  hear(result: unknown): void;
  /** Whether a quick reply claims nothing and has no foreign address. */
  accepts(text: string): boolean;
  /** Whether a claim was withheld. */
  readonly hasWithheld: boolean;
}

/** For agents that only repeat the owner's own text (docs/decisions/0074-claims-guard.md). */
export const NO_GUARD: AnswerGuard = {
  add: (delta) => delta,
  end: () => "",
  allow: () => undefined,
  hear: () => undefined,
  accepts: () => true,
  hasWithheld: false,
};

/** Control characters except line breaks and tabs, and marks that turn the direction of letters: both hide words. */
const HIDING = /[^\P{Cc}\n\r\t]|[\u202d\u202e]/gu;
/** A status is short: "cancelled", "REFUND_ISSUED". A note that somebody wrote is no status. */
const MAX_STATUS_WORDS = 3;
const MAX_STATUS = 40;

/** @param verified what tools verifiably did in this turn */
export function createAnswerGuard(
  locale: string | undefined,
  verified: readonly VerifiedResult[],
): AnswerGuard {
  const results: VerifiedResult[] = [...verified];
  const claims = createClaimsGuard({ locale, verified: results });
  const addresses = createAddressesGuard();
  return {
    add: (delta) => addresses.add(claims.add(delta.replace(HIDING, ""))),
    end: () => addresses.add(claims.end()) + addresses.end(),
    allow: (source) => addresses.allow(source),
    hear(result) {
      for (const text of textsIn(result)) {
        addresses.allow(text);
        if (text.length > MAX_STATUS || text.trim().split(/[\s_-]+/).length > MAX_STATUS_WORDS) continue;
        for (const kind of kindsNamedIn(text)) results.push({ kind, effect: "reads" });
      }
    },
    accepts(text) {
      const own = createClaimsGuard({ locale, verified: results });
      return own.add(text) + own.end() === text && addresses.accepts(text);
    },
    get hasWithheld() {
      return claims.hasWithheld;
    },
  };
}

/** The verbs in the names of tools, the first that fits: `cancel_order` cancels. */
const TOOL_VERBS: readonly (readonly [ActionKind, RegExp])[] = [
  ["cancel", /cancel|void|revoke|terminat/i],
  ["refund", /refund|reimburs|credit/i],
  ["remove", /delet|remov|eras|unsubscri|close/i],
  ["change", /chang|updat|modif|edit|set|extend|renew|replac|unlock|activat|apply/i],
  ["send", /send|ship|mail|dispatch/i],
  ["handoff", /escalat|transfer|hand_?off|assign|forward|notify/i],
  ["create", /creat|open|book|reserv|regist|submit|schedul|subscri/i],
];

/**
 * What agents verifiably did in this conversation. It verifies facts ("It has been cancelled") and not "I have cancelled
 * it": an action runs only after the customer's or a person's consent, so never within an answer.
 */
export function verifiedBy(
  actions: readonly Pick<ActionReport, "tool" | "state">[],
): readonly VerifiedResult[] {
  return actions.flatMap(({ tool, state }) => {
    const kind = state === "completed" && TOOL_VERBS.find(([, verb]) => verb.test(tool))?.[0];
    return kind ? [{ kind, effect: "reads" as const }] : [];
  });
}

/** Lets the guard read what the reading tools of a question return. */
export function heardBy(guard: AnswerGuard, tools: readonly Tool[]): readonly Tool[] {
  return tools.map((tool) => {
    if (tool.effect === "acts") return tool;
    const run = async (input: unknown, signal: AbortSignal) => {
      const result = await tool.run(input, signal);
      guard.hear(result);
      return result;
    };
    return { ...tool, run };
  });
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
