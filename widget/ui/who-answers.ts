import type { Role } from "../../shared/message.ts";
import type { Connection } from "../app/connection.ts";
import type { Features } from "../app/features.ts";
import type { LogState } from "../app/log-state.ts";
import { isIdentityFault } from "../app/problem-texts.ts";
import type { SessionStatus } from "../app/session-status.ts";
import type { Texts } from "../app/texts.ts";

export interface Answerer {
  readonly role: Role;
  readonly name?: string | undefined;
  readonly text: string;
  readonly tone: "calm" | "human" | "waiting" | "quiet" | "problem";
}

/** Who answers, as far as the service has verifiably said; a doubt about the line comes first. */
export function whoAnswers(
  conversation: LogState["conversation"],
  session: SessionStatus,
  line: { readonly connection: Connection; readonly kept: number },
  features: Features,
  texts: Texts,
): Answerer {
  const human = conversation?.handoff?.status === "accepted" ? conversation.handoff.human : undefined;
  const isWithHuman = conversation?.handoff?.status === "accepted";
  const role: Role = isWithHuman ? "human" : features.turns ? "agent" : "system";
  const who = { role, name: human?.name };
  if (session.kind === "failed") {
    const isIdentity = isIdentityFault(session.failure.code);
    return { ...who, text: isIdentity ? texts.statusUnknown : texts.statusUnreachable, tone: "problem" };
  }
  if (conversation?.status === "ended") return { ...who, text: texts.statusEnded, tone: "quiet" };
  const doubt = lineText(line.connection, line.kept, texts);
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

/** What is to be said of the line; nothing where it is well. */
function lineText(connection: Connection, kept: number, texts: Texts): string | undefined {
  switch (connection) {
    case "connecting":
      return texts.statusConnecting;
    case "catching_up":
      return texts.statusCatchingUp;
    case "reconnecting":
      return texts.statusReconnecting;
    case "offline":
      return kept > 0
        ? `${texts.sentence(texts.statusOffline)} ${texts.statusKept(kept)}`
        : texts.statusOffline;
    default:
      return undefined;
  }
}
