import type { ActionReport } from "../../store/actions.ts";
import type { Source } from "./sources.ts";

const SAID: Readonly<Record<ActionReport["state"], string>> = {
  requested: "Asked for. Nobody has allowed it yet, and nothing was done.",
  running: "Allowed. Whether it was done is not known yet.",
  declined: "Not allowed. Nothing was done.",
  completed: "Verified: it was done.",
  failed: "Verified: it was not done.",
  unknown: "Nobody knows whether it was done. It is not tried again.",
  expired: "Nobody allowed it in time. Nothing was done.",
};

/** The result of an action of this conversation, as a source that a model may name. */
export function actionSource({ title, state, text }: ActionReport, at: number): Source {
  const answer = text === undefined ? "" : `\nThe tool's answer: ${text}`;
  return { id: `action-${at + 1}`, title, text: `${SAID[state]}${answer}`, isPublic: false };
}
