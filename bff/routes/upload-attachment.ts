import { uploadAttachment } from "../../shared/api/conversation.ts";
import { Failure } from "../../shared/errors.ts";
import type { Place } from "../conversations/current-conversation.ts";
import { takeUpAside } from "../conversations/linked-conversation.ts";
import { learnFromFile } from "../conversations/lost-conversation.ts";
import { createUploadPlaces } from "../gate/upload-places.ts";
import type { Session } from "../sessions/sessions.ts";
import { keepServiceFile } from "../upstream/files.ts";
import type { RouteDeps } from "./deps.ts";
import { type Exchange, respond, route } from "./exchange.ts";
import { confirmStart } from "./start-conversation.ts";

/**
 * Keeps a file for the customer's next message. It is kept once the service verifiably has the very bytes that were sent.
 * Where no conversation is open, one begins: the service keeps files of conversations only.
 */
export function createUploadAttachment(deps: RouteDeps) {
  const places = createUploadPlaces();
  return route(uploadAttachment, async (exchange) => {
    const { session, address } = exchange;
    return places.run({ session: session.id, address }, () => keep(deps, exchange));
  });
}

async function keep(deps: RouteDeps, exchange: Exchange<typeof uploadAttachment>): Promise<Response> {
  const { session, upload } = exchange;
  const { externalId } = session.customer;
  // The lock is for the place alone: a slow file must not hold up what the customer writes meanwhile.
  const { conversationId, owner } = await deps.locks.run(externalId, () => placeFor(deps, session));
  let isOut = false;
  try {
    const kept = await deps.serviceTokens.lend(
      session,
      (serviceToken) => {
        // What went out is not held here: with a new token the panel sends it again.
        if (isOut) throw new Failure("support_unreachable", { cause: "a file goes out once" });
        isOut = true;
        return keepServiceFile(deps.upstream, { serviceToken, conversationId, upload });
      },
      owner,
    );
    return respond(exchange, 201, kept, ({ attachment: { id, name, type, size } }) => ({
      attachment: { id, name, type, size },
    }));
  } catch (error) {
    throw await learnFromFile(error, deps, session, { conversationId, owner });
  }
}

async function placeFor(deps: RouteDeps, session: Session): Promise<Place> {
  if (deps.sessions.isOver(session)) throw new Failure("unauthenticated");
  const { conversationId, owner, status } = await takeUpAside(deps.pointers, session.customer.externalId);
  if (conversationId !== undefined && status === "open") return { conversationId, owner };
  const { started } = await confirmStart(deps, session, undefined);
  return { conversationId: started.value.conversation.id };
}
