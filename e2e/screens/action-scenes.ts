import type { AskedAction } from "../../shared/action.ts";
import { answered } from "./conversations.ts";
import { NOW, type Scene } from "./visit.ts";
import type { Words } from "./words.ts";

/** What an agent asked permission for: still open, done, and in doubt. */
export function actionsOf(words: Words): AskedAction[] {
  const card = (seq: number): AskedAction => ({
    actionId: `a${seq}`,
    name: "shop_change_address",
    title: words.action,
    arguments: words.actionArguments.map(([label, value]) => ({ label, value })),
    seq,
    at: NOW,
  });
  const approved = { approved: true };
  return [
    { ...card(4), ...approved, result: { status: "completed", text: words.actionResult } },
    { ...card(5), ...approved, result: { status: "unknown" } },
    card(6),
  ];
}

/** Cards of actions that the customer allows. */
export const ACTION_SCENES: readonly Scene[] = [
  {
    name: "actions",
    conversation: (words) => ({ messages: answered(words), actions: actionsOf(words), lastSeq: 6 }),
    act: (visit) => visit.frame.getByRole("button", { name: visit.names.allow }).last().waitFor(),
  },
];
