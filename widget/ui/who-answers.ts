import type { FailureCode } from "../../shared/errors.ts";
import type { Role } from "../../shared/message.ts";
import type { Connection } from "../app/connection.ts";
import { isIdentityFault, isRefusal, problemText } from "../app/problem-texts.ts";
import type { Texts } from "../app/texts.ts";
import { usePanel } from "./panel-context.ts";
import { useCalm } from "./use-calm.ts";

export interface Answerer {
  readonly role: Role;
  readonly name?: string | undefined;
  readonly text: string;
  readonly tone: "calm" | "human" | "waiting" | "quiet" | "problem";
  /** Absent while support can be reached. */
  readonly line?: "down" | "unsure";
}

/**
 * Who answers the current customer, as the service verifiably reported; problems of the connection come first. Unknown
 * while another customer may be signing in.
 */
export function useAnswerer(): Answerer {
  const { chat, texts, environment } = usePanel();
  const connection = useCalm(chat.connection.state, environment);
  const session = chat.session.state.value;
  const { people, turns } = chat.session.features.value;
  const conversation = chat.identity.isChanging.value ? null : chat.conversation.current.value;
  const handoff = conversation?.handoff;
  const isWithHuman = handoff?.status === "accepted";
  const human = isWithHuman ? handoff.human : undefined;
  // Without a session it is unknown who would answer.
  const isWithAgent = turns && chat.conversation.isAnswerable.value;
  const who = { role: isWithHuman ? "human" : isWithAgent ? "agent" : "system", name: human?.name } as const;
  if (session.kind === "failed") {
    const isOffline = connection === "offline" && !isIdentityFault(session.failure.code);
    const text = isOffline ? texts.statusOffline : failedText(session.failure.code, texts);
    return { ...who, text, tone: "problem", line: "down" };
  }
  if (conversation?.status === "ended") return { ...who, text: texts.statusEnded, tone: "quiet" };
  const doubt = connectionText(connection, chat.outbox.queuedCount.value, texts);
  const isDown = connection === "offline" || connection === "unreachable";
  if (doubt) return { ...who, text: doubt, tone: "waiting", line: isDown ? "down" : "unsure" };
  // Nobody answers in it, whoever was to.
  if (conversation && chat.conversation.isLost.value)
    return { role: "system", text: texts.conversationLost, tone: "problem" };
  if (handoff?.status === "requested")
    return { role: "human", text: people ? texts.statusWaiting : texts.markRequested, tone: "waiting" };
  if (isWithHuman) {
    const text = human ? `${human.name} · ${texts.statusHuman}` : texts.statusHuman;
    return { ...who, text, tone: "human" };
  }
  if (!isWithAgent) return { ...who, text: texts.statusOneWay, tone: "quiet" };
  return { ...who, text: texts.statusAgent, tone: "calm" };
}

function failedText(code: FailureCode, texts: Texts): string {
  // If the site's token endpoint failed, it is unknown whether the customer is signed in.
  if (isIdentityFault(code) && code !== "identity_unavailable") return texts.statusUnknown;
  if (!isRefusal(code)) return texts.statusUnreachable;
  // The strip shows the whole text.
  const [first] = new Intl.Segmenter([], { granularity: "sentence" }).segment(problemText(texts, { code }));
  return first?.segment.trim() ?? "";
}

/** Undefined while the connection works. */
function connectionText(connection: Connection, queued: number, texts: Texts): string | undefined {
  switch (connection) {
    case "connecting":
      return texts.statusConnecting;
    case "catching_up":
      return texts.statusCatchingUp;
    case "reconnecting":
      return texts.statusReconnecting;
    case "offline":
    case "unreachable": {
      const text = connection === "offline" ? texts.statusOffline : texts.statusUnreachable;
      return queued > 0 ? `${texts.sentence(text)} ${texts.statusQueued(queued)}` : text;
    }
    default:
      return undefined;
  }
}
