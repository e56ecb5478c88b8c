import type { ActionKind } from "./claim-phrases.ts";

/** The verb that a tool's name begins with: `cancel_order` cancels, `add_cancellation_note` does not. */
const TOOL_VERBS: readonly (readonly [ActionKind, RegExp])[] = [
  ["cancel", /^(?:cancel|void|revoke|terminat)/],
  ["refund", /^(?:refund|reimburs|credit)/],
  // Closing and unsubscribing are no deletion, and their words are those of deletion in the claims.
  ["remove", /^(?:delet|remov|eras)/],
  ["change", /^(?:chang|updat|modif|edit|set(?![a-z])|extend|renew|replac|unlock|activat|apply)/],
  ["send", /^(?:(?:re)?send|ship|mail|dispatch)/],
  ["handoff", /^(?:escalat|transfer|hand_?off|assign|forward|notify)/],
  ["create", /^(?:creat|open|book|reserv|regist|submit|schedul|subscri)/],
];

/** @param tool its name on its own server */
export function kindOfTool(tool: string): ActionKind | undefined {
  const words = tool
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replace(/^(?:issue|make|process|perform|execute)[_.-]/, "");
  return TOOL_VERBS.find(([, verb]) => verb.test(words))?.[0];
}
