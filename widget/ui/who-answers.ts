import type { FailureCode } from "../../shared/errors.ts";
import type { Role } from "../../shared/message.ts";
import type { Connection } from "../app/connection.ts";
import type { Features } from "../app/features.ts";
import type { LogState } from "../app/log-state.ts";
import { isIdentityFault } from "../app/problem-texts.ts";
import type { SessionStatus } from "../app/session-status.ts";
import type { Texts } from "../app/texts.ts";
import { usePanel } from "./panel-context.ts";
import { useCalm } from "./use-calm.ts";

export interface Answerer {
  readonly role: Role;
  readonly name?: string | undefined;
  readonly text: string;
  readonly tone: "calm" | "human" | "waiting" | "quiet" | "problem";
}

/** Who answers the current customer; unknown while another customer may be signing in. */
export function useAnswerer(): Answerer {
  const { chat, texts, environment } = usePanel();
  const connection = useCalm(chat.connection.state, environment);
  return whoAnswers(
    chat.identity.isChanging.value ? null : chat.conversation.current.value,
    chat.session.state.value,
    { connection, queued: chat.outbox.queuedCount.value },
    // Without a session it is unknown who would answer.
    { ...chat.session.features.value, ...(chat.conversation.isAnswerable.value ? {} : { turns: false }) },
    texts,
  );
}

/** Who answers, as the service verifiably reported; problems of the connection come first. */
function whoAnswers(
  conversation: LogState["conversation"],
  session: SessionStatus,
  network: { readonly connection: Connection; readonly queued: number },
  features: Features,
  texts: Texts,
): Answerer {
  const human = conversation?.handoff?.status === "accepted" ? conversation.handoff.human : undefined;
  const isWithHuman = conversation?.handoff?.status === "accepted";
  const role: Role = isWithHuman ? "human" : features.turns ? "agent" : "system";
  const who = { role, name: human?.name };
  if (session.kind === "failed") {
    const isOffline = network.connection === "offline" && !isIdentityFault(session.failure.code);
    const text = isOffline ? texts.statusOffline : failedText(session.failure.code, texts);
    return { ...who, text, tone: "problem" };
  }
  if (conversation?.status === "ended") return { ...who, text: texts.statusEnded, tone: "quiet" };
  const doubt = connectionText(network.connection, network.queued, texts);
  if (doubt) return { ...who, text: doubt, tone: "waiting" };
  if (conversation?.handoff?.status === "requested")
    return {
      role: "human",
      text: features.people ? texts.statusWaiting : texts.markRequested,
      tone: "waiting",
    };
  if (!isWithHuman && !features.turns) return { ...who, text: texts.statusOneWay, tone: "quiet" };
  if (!isWithHuman) return { ...who, text: texts.statusAgent, tone: "calm" };
  const text = human ? `${human.name} · ${texts.statusHuman}` : texts.statusHuman;
  return { ...who, text, tone: "human" };
}

function failedText(code: FailureCode, texts: Texts): string {
  // The site's token endpoint failed, so it is unknown whether the customer is signed in.
  if (code === "identity_unavailable") return texts.problem_identity_unavailable;
  if (code === "storage_full") return texts.problem_storage_full;
  return isIdentityFault(code) ? texts.statusUnknown : texts.statusUnreachable;
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
