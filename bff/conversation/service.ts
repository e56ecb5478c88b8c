import type * as z from "zod/mini";
import type { Capability } from "../../shared/capability.ts";
import type { StreamForm } from "../../shared/operation.ts";
import type { Clock } from "../../shared/server/clock.ts";
import { sessions as openSession } from "../../shared/v1/sessions.ts";
import type { ServiceToken, Session, Sessions } from "../sessions/sessions.ts";
import type { Ask, OpenStream, UpstreamClient } from "../upstream/client.ts";
import { isRefused } from "../upstream/failure.ts";
import type { Operation, Verified } from "../upstream/verified.ts";

/** A token is renewed this long before its end, so that none expires during a call. */
const MARGIN_MS = 30_000;

/** What an ask leaves to the session: its token, and whether the service honours keys. */
export type SessionAsk<O extends Operation> = Omit<Ask<O>, "token" | "honoursKeys">;

/**
 * The `/v1` service in the name of a session's customer. A session token that expires or is refused is renewed, and the call
 * repeated once: a refused call did nothing (contract). An adapter for a service with less has this interface too.
 */
export interface Service {
  /** @throws what `UpstreamClient.call` throws */
  call<O extends Operation>(
    session: Session,
    operation: O,
    ask: SessionAsk<O>,
  ): Promise<Verified<z.output<O["answer"]>>>;
  /** @throws what `UpstreamClient.open` throws */
  open<O extends Operation & { readonly stream: StreamForm }>(
    session: Session,
    operation: O,
    ask: SessionAsk<O>,
    signal: AbortSignal,
  ): Promise<OpenStream>;
  /** Runs calls that must share one token; all of them run again after a 401 to any. */
  withToken<T>(session: Session, work: (token: string) => Promise<T>): Promise<T>;
}

/** The service token of an answer of the sessions endpoint. */
export function serviceTokenOf(
  answer: { readonly token: string; readonly expiresIn?: number | undefined },
  now: number,
): ServiceToken {
  const { token, expiresIn } = answer;
  return { token, expiresAt: expiresIn === undefined ? undefined : now + expiresIn * 1000 };
}

/** Whether the service declared a capability. */
export function offers(
  holder: { readonly capabilities: readonly Capability[] },
  capability: Capability,
): boolean {
  return holder.capabilities.includes(capability);
}

export function createService(deps: {
  readonly upstream: UpstreamClient;
  readonly sessions: Sessions;
  readonly clock: Clock;
}): Service {
  const { upstream, sessions, clock } = deps;
  const renewals = new Map<string, Promise<string>>();

  async function renew(session: Session): Promise<string> {
    const { externalId, displayName } = session.customer;
    const request = { externalId, ...(displayName === undefined ? {} : { displayName }) };
    const answer = await upstream.call(openSession, { request });
    const serviceToken = serviceTokenOf(answer.value, clock.now());
    await sessions.saveServiceToken(session, serviceToken);
    return serviceToken.token;
  }

  /** Concurrent requests of one session share one renewal. */
  function renewOnce(session: Session): Promise<string> {
    const running = renewals.get(session.id);
    if (running) return running;
    const renewal = renew(session).finally(() => renewals.delete(session.id));
    renewals.set(session.id, renewal);
    return renewal;
  }

  async function renewEarly(session: Session, { token, expiresAt = 0 }: ServiceToken): Promise<string> {
    try {
      return await renewOnce(session);
    } catch (error) {
      // Before its end the old token still works; the next call tries to renew it again.
      if (clock.now() < expiresAt) return token;
      throw error;
    }
  }

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

  return {
    withToken,
    call: (session, operation, ask) =>
      withToken(session, (token) => upstream.call(operation, asked(session, ask, token))),
    open: (session, operation, ask, signal) =>
      withToken(session, (token) => upstream.open(operation, asked(session, ask, token), signal)),
  };
}
