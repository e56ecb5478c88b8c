import type { Action, AskedAction } from "../../shared/action.ts";
import type { Texts } from "./texts.ts";

/** The action that is asked for, and who decides about it. */
export function actionQuestion(texts: Texts, { title, name, confirm }: Action): string {
  const asked = confirm === "person" ? texts.actionForTeam : texts.actionAsked;
  return asked(title ?? name.replace(/[_-]+/g, " ").trim());
}

/** What the tool said; nothing if it is JSON, perhaps cut at its end, which the team reads at the desk. */
export function toolWords({ result }: AskedAction): string | undefined {
  return result?.text?.replace(/^[[{][\s"[\]{}].*/s, "");
}

/** Its result, as far as the service verifiably said; undefined while nobody answered. */
export function actionState(texts: Texts, { approved, result, confirm }: AskedAction): string | undefined {
  switch (result?.status) {
    case "completed":
      return texts.actionDone;
    case "failed":
      return texts.actionFailed;
    case "unknown":
      return texts.actionUnknown;
    case "expired":
      return texts.actionExpired;
  }
  if (approved === undefined) return undefined;
  if (confirm === "person") return approved ? texts.actionRunning : texts.actionFailed;
  return approved ? texts.actionAllowed : texts.actionNotAllowed;
}

/** What a screen reader says when an action was answered or has a result. */
export function wordsOfAction(texts: Texts, action: AskedAction): string {
  return [actionState(texts, action), toolWords(action)].filter(Boolean).join(" ");
}
