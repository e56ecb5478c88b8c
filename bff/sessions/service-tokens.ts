import { LRUCache } from "lru-cache";
import type { Clock } from "../../shared/server/clock.ts";
import type { UpstreamClient } from "../upstream/client.ts";
import { openServiceSession } from "../upstream/customers.ts";
import { isRefused } from "../upstream/failure.ts";
import type { ServiceToken, Session, Sessions } from "./sessions.ts";

/** A token is renewed this long before its end, so that none ends on the way. */
const MARGIN_MS = 30_000;

/** Tokens of owners who are not the session's own customer; a lost one is opened anew. */
const MAX_OWNER_TOKENS = 10_000;

/** Lends a session's service token to calls, renewed unseen when it ends or is refused. */
export interface ServiceTokens {
  /**
   * Runs `call` with a token; after a 401 once more with a new one: a refused call did nothing (contract). `owner`: in
   * whose name, where the service has a linked conversation in that of the anonymous visitor whom this customer was.
   */
  lend<T>(session: Session, call: (serviceToken: string) => Promise<T>, owner?: string): Promise<T>;
}

/** Where one customer's token of the service is kept. */
interface Purse {
  readonly key: string;
  read(): ServiceToken | undefined;
  /** Opens a session of the service and keeps its token. */
  renew(): Promise<ServiceToken>;
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
  const ownerTokens = new LRUCache<string, ServiceToken>({ max: MAX_OWNER_TOKENS });

  async function openToken(externalId: string, displayName?: string): Promise<ServiceToken> {
    const profile = { externalId, ...(displayName === undefined ? {} : { displayName }) };
    const answer = await openServiceSession(upstream, profile);
    return serviceTokenOf(answer.value, clock.now());
  }
  const purseOf = (session: Session): Purse => ({
    key: session.id,
    read: () => session.serviceToken,
    async renew() {
      const { externalId, displayName } = session.customer;
      const serviceToken = await openToken(externalId, displayName);
      await sessions.saveServiceToken(session, serviceToken);
      return serviceToken;
    },
  });
  const purseOfOwner = (owner: string): Purse => ({
    key: `owner ${owner}`,
    read: () => ownerTokens.get(owner),
    async renew() {
      const serviceToken = await openToken(owner);
      ownerTokens.set(owner, serviceToken);
      return serviceToken;
    },
  });

  /** Many requests of one customer share one renewal. */
  function renewOnce(purse: Purse): Promise<string> {
    let renewal = running.get(purse.key);
    if (!renewal) {
      renewal = purse
        .renew()
        .then(({ token }) => token)
        .finally(() => running.delete(purse.key));
      running.set(purse.key, renewal);
    }
    return renewal;
  }

  async function fresh(purse: Purse, { token, expiresAt }: ServiceToken): Promise<string> {
    try {
      return await renewOnce(purse);
    } catch (error) {
      // Before its end the old token is as good as it was; renewing is tried again with the next call.
      if (expiresAt !== undefined && clock.now() < expiresAt) return token;
      throw error;
    }
  }

  return {
    async lend(session, call, owner) {
      const isOwn = owner === undefined || owner === session.customer.externalId;
      const purse = isOwn ? purseOf(session) : purseOfOwner(owner);
      const current = purse.read();
      const isEnding = current?.expiresAt !== undefined && clock.now() >= current.expiresAt - MARGIN_MS;
      let token: string;
      if (current === undefined) token = await renewOnce(purse);
      else token = isEnding ? await fresh(purse, current) : current.token;
      try {
        return await call(token);
      } catch (error) {
        if (!isRefused(error, 401)) throw error;
        // Another request may have renewed it while this one was on the way.
        const known = purse.read()?.token;
        return await call(known === undefined || known === token ? await renewOnce(purse) : known);
      }
    },
  };
}
