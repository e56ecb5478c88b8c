import type { UpstreamClient } from "../../bff/upstream/client.ts";
import { Refused } from "../../bff/upstream/failure.ts";
import type { Credentials } from "../../bff/upstream/read-credentials.ts";
import { endConversation, startConversation } from "../../shared/v1/conversations.ts";
import { requestHandoff } from "../../shared/v1/handoffs.ts";
import { type Finding, fault, good, note, unseen } from "./finding.ts";
import { whyOf } from "./why-of.ts";

/** A conversation that no service has. */
const NOWHERE = "parley_doctor_no_such_conversation";

/** The three endpoints that change something, as sentences call them. */
const NAMES = { conversations: "Start", handoffs: "Hand-off", endConversation: "End" } as const;
type Changing = keyof typeof NAMES;

/** The result of a call: a verified answer, or the error. */
type Outcome = { readonly error?: unknown };
const outcomeOf = (call: Promise<unknown>): Promise<Outcome> =>
  call.then(
    () => ({}),
    (error: unknown) => ({ error }),
  );

/**
 * Examines start, hand-off and end by calls that a service must refuse: without a credential, and about a conversation
 * that does not exist. Nothing stays at a service that refuses them.
 *
 * @param bare a client that sends no credential
 */
export async function examineRefusals(deps: {
  readonly upstream: UpstreamClient;
  readonly bare: UpstreamClient;
  readonly token: string;
  readonly schemes: Credentials["schemes"];
}): Promise<readonly Finding[]> {
  const { upstream, bare, token, schemes } = deps;
  const handoff = { request: { conversationId: NOWHERE } };
  const end = { params: { id: NOWHERE } };
  const unproven: Record<Changing, () => Promise<unknown>> = {
    conversations: () => bare.call(startConversation, { request: {} }),
    handoffs: () => bare.call(requestHandoff, handoff),
    endConversation: () => bare.call(endConversation, end),
  };
  const findings: Finding[] = [];
  // A call that failed without a credential would only fail again.
  const failed = new Set<Changing>();
  for (const id of ["conversations", "handoffs", "endConversation"] as const) {
    if (schemes[id] === "none") continue;
    const finding = unprovenFinding(id, await outcomeOf(unproven[id]()));
    findings.push(finding);
    if (finding.level === "fault") failed.add(id);
  }
  const proven = {
    handoffs: () => upstream.call(requestHandoff, { ...handoff, token }),
    endConversation: () => upstream.call(endConversation, { ...end, token }),
  };
  for (const id of ["handoffs", "endConversation"] as const) {
    if (!failed.has(id)) findings.push(...unknownFindings(id, await outcomeOf(proven[id]())));
  }
  return findings;
}

function unprovenFinding(id: Changing, { error }: Outcome): Finding {
  const name = NAMES[id];
  if (error === undefined) {
    const left = id === "conversations" ? " The conversation that this started stays there." : "";
    return fault(`${name}: the service does it for a caller without a credential.${left}`);
  }
  if (!(error instanceof Refused)) return fault(`${name} fails: ${whyOf(error)}`);
  const { answered } = error;
  if (answered === 404 || answered === 405)
    return fault(`${name}: the service does not have this endpoint (${answered}).`);
  if (answered !== 401 && answered !== 403)
    return note(`${name}: refused with ${answered}. That does not show that it asks for a credential.`);
  return good(`${name}: the endpoint is there, and refuses a caller without a credential.`);
}

/** Nothing where the service refuses as it should. */
function unknownFindings(id: "handoffs" | "endConversation", { error }: Outcome): readonly Finding[] {
  const name = NAMES[id];
  const about = "a conversation that does not exist";
  if (error === undefined) {
    return id === "handoffs"
      ? [fault(`${name}: the service confirms one of ${about}.`)]
      : [note(`${name}: the service confirms one of ${about}.`)];
  }
  if (!(error instanceof Refused)) return [fault(`${name} of ${about} is not refused: ${whyOf(error)}`)];
  if (error.answered === 401) {
    const secret = id === "handoffs" ? "HANDOFF_SECRET and HANDOFF_SECRET_HEADER, and " : "";
    return [
      fault(
        `${name}: the service refuses our credential (401). Check ${secret}AUTH_${id === "handoffs" ? "HANDOFFS" : "END_CONVERSATION"}.`,
      ),
    ];
  }
  if (error.answered === 403 && id === "handoffs") {
    return [note(`${name}: refused with 403. That is right for ${about}, or HANDOFF_SECRET is wrong.`)];
  }
  return [];
}

/** Starts a conversation, asks for a person in it and ends it, as a customer would. */
export async function examineConversation(deps: {
  readonly upstream: UpstreamClient;
  readonly token: string;
  /** If the service has only provider-selection, a start names the provider. */
  readonly providerId: string | undefined;
  readonly hasHandoff: boolean;
}): Promise<readonly Finding[]> {
  const { upstream, token, providerId, hasHandoff } = deps;
  const findings: Finding[] = [];
  let id: string;
  try {
    const request = {
      subject: "A test by npm run doctor",
      ...(providerId === undefined ? {} : { providerId }),
    };
    id = (await upstream.call(startConversation, { request, token })).value.conversation.id;
    findings.push(good("Start: the service starts a conversation."));
  } catch (error) {
    return [fault(`Start fails: ${whyOf(error)}`), unseen("A real hand-off and a real end.")];
  }
  if (hasHandoff) {
    try {
      const request = { conversationId: id, reason: "A test by npm run doctor. Nobody waits." };
      const { status } = (await upstream.call(requestHandoff, { request, token })).value.handoff;
      findings.push(
        status === "failed"
          ? note("Hand-off: the service says that it failed. Is anybody there to take it?")
          : good("Hand-off: the service asks for a person."),
      );
    } catch (error) {
      findings.push(fault(`Hand-off fails: ${whyOf(error)}`));
    }
  } else {
    findings.push(unseen("A real hand-off: the selected route has no target for it."));
  }
  try {
    await upstream.call(endConversation, { params: { id }, token });
    findings.push(good("End: the service ends the conversation."));
  } catch (error) {
    findings.push(fault(`End fails: ${whyOf(error)} The conversation of parley_doctor stays open.`));
  }
  return findings;
}
