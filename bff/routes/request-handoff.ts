import { requestHandoff } from "../../shared/api/conversation.ts";
import { Failure } from "../../shared/errors.ts";
import { HandoffStatus } from "../../shared/handoff.ts";
import { learnEnd, requireOpenConversation, routeNow } from "../conversations/current-conversation.ts";
import { idempotencyKey } from "../conversations/idempotency-key.ts";
import { keepsOwnLog, logOf } from "../conversations/own-log.ts";
import { factsOf } from "../feeds/feed-snapshot.ts";
import { transcriptText } from "../feeds/transcript-text.ts";
import { offers } from "../upstream/capabilities.ts";
import { requestServiceHandoff } from "../upstream/conversations.ts";
import type { RouteDeps } from "./deps.ts";
import { type Exchange, respond, route } from "./exchange.ts";

type Ask = Exchange<typeof requestHandoff>;
type Asked = Awaited<ReturnType<typeof requestServiceHandoff>>;

/** Asks for a person. Asked twice at once, or again because the answer was lost, it is one hand-off. */
export function createRequestHandoff(deps: RouteDeps) {
  const running = new Map<string, Promise<Asked>>();
  return route(requestHandoff, async (exchange) => {
    const { session, body } = exchange;
    const pointer = await deps.pointers.read(session.customer.externalId);
    if (routeNow(pointer, session).humanHandoffAdapter === undefined) {
      throw new Failure("handoff_unavailable");
    }
    const key = idempotencyKey(session.customer.externalId, body.reason, body.summary);
    let asked = running.get(key);
    if (!asked) {
      asked = deps.locks.run(session.customer.externalId, () => ask(deps, exchange));
      running.set(key, asked);
      const done = () => void running.delete(key);
      asked.then(done, done);
    }
    return respond(exchange, 201, await asked, ({ handoff }) => ({
      handoff: { id: handoff.id, status: statusOf(handoff.status) },
    }));
  });
}

async function ask(deps: RouteDeps, { session, body }: Ask): Promise<Asked> {
  const { externalId } = session.customer;
  const pointer = await deps.pointers.read(externalId);
  const current = requireOpenConversation(pointer);
  const { conversationId, owner } = current;
  // A service without events may not have what was written; the person who takes over needs it.
  const own = keepsOwnLog(session) ? logOf(session, current) : undefined;
  const written = own ? await deps.feeds.read(own, 0) : [];
  const transcript = transcriptText(written);
  const { reason, summary } = body;
  const key = idempotencyKey("handoff", conversationId, pointer.handoffs + 1, reason, summary, transcript);
  let asked: Asked;
  try {
    asked = await deps.serviceTokens.lend(
      session,
      (serviceToken) =>
        requestServiceHandoff(deps.upstream, {
          serviceToken,
          conversationId,
          idempotencyKey: key,
          isIdempotent: offers(session, "idempotency"),
          ...(reason === undefined ? {} : { reason }),
          ...(summary === undefined ? {} : { currentIntent: summary }),
          ...(transcript === undefined ? {} : { transcript }),
        }),
      owner,
    );
  } catch (error) {
    throw await learnEnd(error, deps.pointers, externalId, conversationId);
  }
  // The next one asks anew: after a person handed back, the old answer would be a false one.
  await deps.pointers.change(externalId, { handoffs: pointer.handoffs + 1 });
  if (own) {
    const { id, status: word } = asked.value.handoff;
    const status = statusOf(word);
    const known = factsOf(written).handoff;
    if (known?.id === id && known.status === status) return asked;
    await deps.feeds.append(own, asked, [{ type: `handoff.${status}`, handoff: { id, status } }]);
  }
  return asked;
}

/** Another service's own word says that a person was asked, and no more (contract). */
function statusOf(word: string): HandoffStatus {
  const known = HandoffStatus.safeParse(word);
  return known.success ? known.data : "requested";
}
