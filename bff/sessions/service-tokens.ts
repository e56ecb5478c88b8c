import type { Clock } from "../clock.ts";
import type { UpstreamClient } from "../upstream/client.ts";
import { openServiceSession } from "../upstream/customers.ts";
import { isRefused } from "../upstream/refused.ts";
import type { ServiceToken, Session, Sessions } from "./sessions.ts";

/** A token is renewed this long before its end, so that none ends on the way. */
const MARGIN_MS = 30_000;

/** Lends a session's service token to calls, renewed unseen when it ends or is refused. */
export interface ServiceTokens {
  /** Runs `call` with a token; after a 401 once more with a new one: a refused call did nothing (contract). */
  lend<T>(session: Session, call: (serviceToken: string) => Promise<T>): Promise<T>;
}

/** The service token of an answer of the sessions endpoint. */
export function serviceTokenOf(
  answer: { token: string; expiresIn?: number | undefined },
  now: number,
): ServiceToken {
  const { token, expiresIn } = answer;
  return { token, expiresAt: expiresIn === undefined ? undefined : now + expiresIn * 1000 };
}

export function createServiceTokens(deps: {
  readonly upstream: UpstreamClient;
  readonly sessions: Sessions;
  readonly clock: Clock;
}): ServiceTokens {
  const { upstream, sessions, clock } = deps;
  const running = new Map<string, Promise<string>>();

  async function renew(session: Session): Promise<string> {
    const { externalId, displayName } = session.customer;
    const profile = { externalId, ...(displayName === undefined ? {} : { displayName }) };
    const answer = await openServiceSession(upstream, profile);
    const serviceToken = serviceTokenOf(answer.value, clock.now());
    await sessions.saveServiceToken(session, serviceToken);
    return serviceToken.token;
  }

  /** Many requests of one session share one renewal. */
  function renewOnce(session: Session): Promise<string> {
    let renewal = running.get(session.id);
    if (!renewal) {
      renewal = renew(session).finally(() => running.delete(session.id));
      running.set(session.id, renewal);
    }
    return renewal;
  }

  async function fresh(session: Session, { token, expiresAt }: ServiceToken): Promise<string> {
    try {
      return await renewOnce(session);
    } catch (error) {
      // Before its end the old token is as good as it was; renewing is tried again with the next call.
      if (expiresAt !== undefined && clock.now() < expiresAt) return token;
      throw error;
    }
  }

  return {
    async lend(session, call) {
      const current = session.serviceToken;
      const isEnding = current.expiresAt !== undefined && clock.now() >= current.expiresAt - MARGIN_MS;
      const token = isEnding ? await fresh(session, current) : current.token;
      try {
        return await call(token);
      } catch (error) {
        if (!isRefused(error, 401)) throw error;
        // Another request may have renewed it while this one was on the way.
        const known = session.serviceToken.token;
        return await call(known === token ? await renewOnce(session) : known);
      }
    },
  };
}
