import type * as z from "zod/mini";
import type { Outgoing } from "../../shared/api/conversation.ts";
import type { Capability } from "../../shared/capability.ts";
import type { ConversationSnapshot } from "../../shared/conversation.ts";
import { Failure } from "../../shared/errors.ts";
import type { StreamForm } from "../../shared/operation.ts";
import type { Clock } from "../../shared/server/clock.ts";
import type { Log } from "../../shared/server/log.ts";
import { createShareRunning } from "../../shared/server/share-running.ts";
import { streamEvents } from "../../shared/v1/events.ts";
import { readMessages } from "../../shared/v1/messages.ts";
import { sessions as openSession } from "../../shared/v1/sessions.ts";
import type { ServiceToken, Session, Sessions } from "../sessions/sessions.ts";
import type { Ask, Options, UpstreamClient } from "../upstream/client.ts";
import { type EventSource, type ReadEvent, ServiceEventSource } from "../upstream/event-source.ts";
import { isRefused } from "../upstream/failure.ts";
import { readPageBefore } from "../upstream/transcript.ts";
import type { Operation, Verified } from "../upstream/verified.ts";

/** A token is renewed this long before its end, so that none expires during a call. */
const MARGIN_MS = 30_000;

/**
 * The parts of a call that the session fills in: its token, unless `withToken` gave one, and whether the service
 * honours keys.
 */
export type SessionAsk<O extends Operation> = Omit<Ask<O>, "honoursKeys"> & {
  /** The message that a start is for. A service without turns takes it with the start. */
  readonly first?: Outgoing | undefined;
};

/** A page of a conversation's log, read: what a snapshot has, as far as the service says it. */
export type Transcript = Omit<ConversationSnapshot, "id" | "status" | "epoch"> & {
  readonly [Name in "status" | "epoch"]?: ConversationSnapshot[Name] | undefined;
};

/** The position and the epoch of a log. */
export type LogHead = Pick<Transcript, "lastSeq" | "status" | "epoch">;

export type Service = ReturnType<typeof createServiceClient>;

export function serviceTokenOf(
  answer: { readonly token: string; readonly expiresIn?: number | undefined },
  now: number,
): ServiceToken {
  const { token, expiresIn } = answer;
  // Times are stored as whole milliseconds; a service may give parts of one, or centuries.
  const expiresAt = expiresIn && Math.min(now + Math.floor(expiresIn * 1000), Number.MAX_SAFE_INTEGER);
  return { token, expiresAt };
}

/** Whether the service declared a capability. */
export function offers(holder: Pick<Session, "capabilities">, capability: Capability): boolean {
  return holder.capabilities.includes(capability);
}

/**
 * The `/v1` service in the name of a session's customer. A session token that expires or is refused is renewed, and the call
 * repeated once: a refused call did nothing (contract). `bff/less/` makes the same of a service with less.
 */
export function createServiceClient(deps: {
  readonly upstream: UpstreamClient;
  readonly sessions: Sessions;
  readonly clock: Clock;
  readonly log: Log;
  readonly readEvent: ReadEvent;
}) {
  const { upstream, sessions, clock } = deps;
  const shareRenewal = createShareRunning<string>();

  async function renew(session: Session): Promise<string> {
    const { externalId } = session.customer;
    const answer = await upstream.call(openSession, { request: { externalId } });
    const serviceToken = serviceTokenOf(answer.value, clock.now());
    await sessions.saveServiceToken(session, serviceToken);
    return serviceToken.token;
  }

  /** Concurrent requests of one session share one renewal. */
  const renewOnce = (session: Session) => shareRenewal(session.id, () => renew(session));

  async function renewEarly(session: Session, { token, expiresAt = 0 }: ServiceToken): Promise<string> {
    try {
      return await renewOnce(session);
    } catch (error) {
      // Before its end the old token still works; the next call tries to renew it again.
      if (clock.now() < expiresAt) return token;
      throw error;
    }
  }

  /** Runs calls that must share one token; all of them run again after a 401 to any. */
  async function withToken<T>(session: Session, work: (token: string) => Promise<T>): Promise<T> {
    const current = session.serviceToken;
    const isEnding = current.expiresAt !== undefined && clock.now() >= current.expiresAt - MARGIN_MS;
    const token = isEnding ? await renewEarly(session, current) : current.token;
    try {
      return await work(token);
    } catch (error) {
      if (!isRefused(error, 401)) throw error;
      // Another request may have renewed it during this one.
      const known = session.serviceToken.token;
      return await work(known === token ? await renewOnce(session) : known);
    }
  }

  const asked = <O extends Operation>(session: Session, ask: SessionAsk<O>, token: string) =>
    ({ ...ask, token, honoursKeys: offers(session, "idempotency") }) as Ask<O>;

  /** @throws what `UpstreamClient.call` throws; Failure not_carried where the service lacks the operation */
  function call<O extends Operation>(
    session: Session,
    operation: O,
    ask: SessionAsk<O>,
  ): Promise<Verified<z.output<O["answer"]>>> {
    const { needs } = operation;
    if (needs !== undefined && !offers(session, needs)) return Promise.reject(new Failure("not_carried"));
    if (ask.token !== undefined) return upstream.call(operation, asked(session, ask, ask.token));
    return withToken(session, (token) => upstream.call(operation, asked(session, ask, token)));
  }
  /** @throws what `UpstreamClient.open` throws */
  const open = <O extends Operation & { readonly stream: StreamForm }>(
    session: Session,
    operation: O,
    ask: SessionAsk<O>,
    signal?: AbortSignal,
  ) => withToken(session, (token) => upstream.open(operation, asked(session, ask, token), signal));

  return {
    withToken,
    call,
    open,
    /** The newest page of the log before `before`, or of all of it; empty without transcripts. Throws as `call`. */
    async transcript(session: Session, id: string, before?: number): Promise<Transcript> {
      if (!offers(session, "messages")) return { messages: [], lastSeq: 0 };
      const read = async (page: Options["page"]) =>
        (await call(session, readMessages, { params: { id }, page })).value;
      const page = await readPageBefore(read, before);
      const { handoff, rating, contact, read: seen } = page.conversation ?? {};
      const { messages, marks, actions, nextBefore } = page;
      return { ...headOf(page), messages, marks, actions, nextBefore, handoff, rating, contact, read: seen };
    },
    /**
     * The position of the log for a client that has it up to `after`; without transcripts that is `after`. Throws as
     * `call`.
     */
    async head(session: Session, id: string, after: number): Promise<LogHead> {
      if (!offers(session, "messages")) return { lastSeq: after };
      const page = { after, limit: 1 };
      return headOf((await call(session, readMessages, { params: { id }, page })).value);
    },
    async follow(session: Session, id: string, after: number, signal?: AbortSignal): Promise<EventSource> {
      const stream = await open(session, streamEvents, { params: { id }, after }, signal);
      return new ServiceEventSource(stream, id, deps);
    },
  };
}

function headOf(page: Omit<z.output<typeof readMessages.answer>, "messages">): LogHead {
  const { lastSeq, epoch, conversation } = page;
  return { lastSeq, epoch, status: conversation?.status };
}
