import type * as api from "../../shared/api/conversation.ts";
import { applyAnswered } from "./apply-details.ts";
import type { TargetOf } from "./bff-client.ts";
import type { Chat } from "./chat.ts";
import { ChatFailure, failureFrom, isFailure } from "./chat-failure.ts";
import type { RequestState } from "./conversation-requests.ts";
import { doubtFormer } from "./doubt-former.ts";
import { isUnanswered } from "./log-state.ts";
import { problemText } from "./problem-texts.ts";
import { answer, oneOf, record } from "./reader.ts";
import { id } from "./wire.ts";

const ACTION: TargetOf<typeof api.answerAction> = "POST /api/conversation/actions";
export const readAnswered = answer<{ action: { actionId: string; approved: boolean } }>({
  action: record<{ actionId: string; approved: boolean }>({ actionId: id, approved: oneOf(true, false) }),
});

/** Allows or refuses an action that the agent asked about. Its state is in `conversation.actionRequests`. */
export async function answerAction(
  chat: Pick<Chat, "client" | "session" | "conversation" | "report">,
  actionId: string,
  approved: boolean,
): Promise<void> {
  const { client, session, report } = chat;
  const { log, commit, actionRequests, current } = chat.conversation;
  const mine = current.value?.id;
  const show = (state: RequestState) => {
    actionRequests.value = new Map(actionRequests.value).set(actionId, state);
  };
  if (actionRequests.value.get(actionId)?.kind === "asking") return;
  show({ kind: "asking" });
  try {
    const body = { actionId, approved };
    const { action } = await session.withToken((token) => client.call(ACTION, readAnswered, { token, body }));
    if (action.actionId !== actionId || action.approved !== approved) throw new ChatFailure("not_confirmed");
    commit(applyAnswered(log.value, actionId, approved));
    show({ kind: "idle" });
  } catch (error) {
    const failure = failureFrom(error);
    const isOpen = () => {
      const known = log.value.actions.find((one) => one.actionId === actionId);
      return known && isUnanswered(known);
    };
    // Somebody else answered it, or its time has passed: the log says which.
    if (isOpen() && isFailure(failure, "key_reused", "forbidden"))
      await session.refresh().catch(() => undefined);
    if (!isOpen()) {
      show({ kind: "idle" });
      return doubtFormer(chat, mine, (texts) => texts.actionNotConfirmed);
    }
    show({ kind: "failed", failure });
    report({
      type: "said",
      isUrgent: true,
      words: (texts) => `${texts.actionNotConfirmed} ${problemText(texts, failure)}`,
    });
  }
}
