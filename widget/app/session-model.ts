import { batch, computed, createModel, type Signal, signal } from "@preact/signals";
import type { SessionState, StartSession } from "../../shared/api/session.ts";
import { createEmitter } from "../client/emitter.ts";
import type { BffClient } from "./bff-client.ts";
import { ChatFailure, failureFrom, isSessionOver } from "./chat-failure.ts";
import { featuresOf } from "./features.ts";
import { asConfirmed, type Customer, customerOf, type Identity, NOBODY, nameOf } from "./identity.ts";
import type { Revocations } from "./revocations.ts";
import type { SessionStatus } from "./session-status.ts";
import type { TokenStore } from "./session-storage.ts";
import type { SiteIdentity } from "./site-identity.ts";
import { subjectOf } from "./site-token.ts";

/** How the customer compares with the previous one: the same, the same in a new session, or somebody else. */
export type Relation = "same" | "fresh" | "other";

export type SessionChange =
  | { readonly kind: "started"; readonly answer: SessionState; readonly relation: Relation }
  | { readonly kind: "failed"; readonly failure: ChatFailure }
  /** The site's token names somebody, `isOther` than the customer before; nothing has verified it yet. */
  | { readonly kind: "claimed"; readonly isOther: boolean }
  /**
   * Everything on the screen must go, because of a logout or another person. `before` is set if the texts here belong
   * to a person whom the site had named and who never got a session: they are stored for that person.
   */
  | { readonly kind: "cleared"; readonly why: "logout" | "other"; readonly before?: string | undefined };

export interface SessionModelDeps {
  readonly client: BffClient;
  readonly tokens: TokenStore;
  readonly site: SiteIdentity;
  readonly revocations: Revocations;
  readonly identity: Signal<Identity>;
  /** Describes the page for a starting session. */
  readonly describe: () => StartSession;
}

export type SessionModel = InstanceType<typeof SessionModel>;

/** The session at the BFF: started, resumed, renewed and ended here, and nowhere else. */
export const SessionModel = createModel((deps: SessionModelDeps) => {
  const { client, tokens, site, revocations, identity, describe } = deps;
  const state = signal<SessionStatus>({ kind: "none" });
  const changes = createEmitter<SessionChange>();
  let starting: Promise<string> | undefined;
  let renewal: Promise<string> | undefined;
  let isReady = false;
  /** The session's token that was confirmed on this page: it is reused without asking the site. */
  let confirmedToken: string | undefined;
  /** The page's description in the last request. */
  let described: StartSession = {};
  /** Changes when another person takes over, so that earlier answers are ignored. */
  let generation = 0;

  const customer = () => customerOf(identity.peek());
  const retire = (token: string) => void revocations.add(token);
  const clear = (why: "logout" | "other", before?: string) => changes.emit({ kind: "cleared", why, before });

  /** Starts or resumes the session. Also returns whether an anonymous session became a customer's, and the token before. */
  const open = async (
    onClaim: (subject: string) => void,
  ): Promise<[answer: SessionState, isLinked: boolean, before: string | undefined]> => {
    const isConfirmed = confirmedToken !== undefined && confirmedToken === tokens.read();
    const isAsked = !isConfirmed && site.isVouching.value;
    const isKnown = tokens.isIdentified() || customer()?.identified;
    // An identified session needs the site's token, once on each page: it never falls back to an anonymous one.
    if (!isAsked && isKnown && !isConfirmed) throw new ChatFailure("identity_required");
    const siteToken = isAsked ? await site.getToken() : undefined;
    const subject = siteToken ? subjectOf(siteToken) : "";
    if (isAsked && typeof subject === "string") onClaim(subject);
    described = describe();
    const body = { ...described, token: siteToken };
    const own = tokens.read();
    if (own && tokens.isIdentified() && !siteToken && !isConfirmed) {
      // The site says that nobody is signed in any more.
      tokens.drop(own);
      retire(own);
    }
    // A customer whose own session is over does not take over the one of a visitor in another tab. If nobody is signed in
    // any more, that visitor goes on here: a new session would replace theirs in the browser's storage.
    const isOver = siteToken && customer()?.identified && !tokens.isIdentified();
    const token = isOver ? undefined : tokens.read();
    if (token) {
      try {
        const answer = await client.startSession(token, body);
        return [answer, Boolean(siteToken) && !tokens.isIdentified(), token];
      } catch (error) {
        if (!isSessionOver(error)) throw error;
        tokens.drop(token);
        // It expired. Another tab may have the next one, and an identified customer needs another token from the site.
        if (isConfirmed || (!isKnown && (tokens.read() ?? token) !== token)) return open(onClaim);
      }
    }
    return [await client.startSession(undefined, body), false, token];
  };

  const relationOf = (next: Customer, isLinked: boolean): Relation => {
    const before = customer();
    if (before?.externalId === next.externalId) return "same";
    // Whatever happened to the token in the meantime: one customer's session never becomes another's.
    if (before?.identified) return "other";
    return isLinked || !before ? "same" : "fresh";
  };

  const start = async (): Promise<string> => {
    let mine = generation;
    const onClaim = (subject: string) => {
      const { claimed } = identity.peek();
      if (mine !== generation || subject === claimed) return;
      const former = nameOf(customer()) || claimed;
      const isOther = Boolean(former) && subject !== former;
      batch(() => {
        if (claimed && !customer()?.identified) {
          // As after a logout: what the first person requested is not requested in the name of the next.
          generation += 1;
          mine = generation;
          clear("other", claimed);
        }
        identity.value = { ...identity.peek(), claimed: subject };
        changes.emit({ kind: "claimed", isOther });
      });
    };
    // A failure stays on the screen until it is resolved; only a first start is "starting".
    if (state.peek().kind === "none") state.value = { kind: "starting" };
    try {
      const [answer, isLinked, before] = await open(onClaim);
      if (mine !== generation) {
        retire(answer.token);
        throw new ChatFailure("session_expired");
      }
      const relation = relationOf(answer.customer, isLinked);
      if (relation === "other") generation += 1;
      tokens.write(answer.token, answer.customer.identified, before);
      confirmedToken = answer.token;
      isReady = true;
      batch(() => {
        identity.value = asConfirmed(identity.peek(), answer.customer, renewal === undefined);
        const { capabilities, hours, hasPast = false } = answer;
        state.value = { kind: "ready", capabilities, hours, hasPast };
        if (relation === "other") clear("other");
        changes.emit({ kind: "started", answer, relation });
      });
      // The page said something else while the request was under way.
      if (JSON.stringify(described) !== JSON.stringify(describe())) sendPageFacts();
      return answer.token;
    } catch (error) {
      const failure = failureFrom(error);
      if (mine !== generation) throw failure;
      isReady = false;
      // If a renewal waits for this start to end, the renewal reports how it goes.
      if (renewal === undefined) {
        batch(() => {
          state.value = { kind: "failed", failure };
          changes.emit({ kind: "failed", failure });
        });
      }
      throw failure;
    }
  };

  const begin = () => {
    const run: Promise<string> = start().finally(() => {
      if (starting === run) starting = undefined;
    });
    starting = run;
    return run;
  };
  const ensure = () => {
    const token = isReady ? tokens.read() : undefined;
    return starting ?? (token ? Promise.resolve(token) : begin());
  };
  const withToken = async <T>(call: (token: string) => Promise<T>): Promise<T> => {
    const mine = generation;
    const isMine = <V>(value: V): V => {
      if (mine !== generation) throw new ChatFailure("session_expired");
      return value;
    };
    // One customer's requests are never repeated for the next one.
    const checked = async (token: string) => isMine(await call(isMine(token)));
    const token = await ensure();
    try {
      return await checked(token);
    } catch (error) {
      if (!isSessionOver(error) || mine !== generation) throw error;
      if (tokens.drop(token)) isReady = false;
      return checked(await ensure());
    }
  };

  /**
   * Sends what the page says about its visitor again, if a session runs. Not awaited: the next session sends it too.
   */
  const sendPageFacts = (): void => {
    if (state.value.kind !== "ready") return;
    withToken((token) => client.startSession(token, describe())).catch(() => undefined);
  };

  return {
    state,
    /** The features of this chat. All are assumed until the session reports fewer. */
    features: featuresOf(state),
    /** An earlier visit's session was found and is being resumed: a conversation may be about to appear. */
    isResuming: computed(
      () => ["none", "starting"].includes(state.value.kind) && tokens.read() !== undefined,
    ),
    /** No session runs yet, and the one that an earlier page started, or that of the site's customer, may have a conversation. */
    mayHaveConversation: () =>
      state.value.kind !== "ready" && (tokens.read() !== undefined || site.isVouching.value),
    /** The customer of the last session, until a logout. */
    customer,
    subscribe: changes.subscribe,
    /** The token of the running session; starts or resumes one if there is none. Throws a ChatFailure. */
    ensure,
    /** Reads the session again, and with it the conversation as the service has it now. Throws a ChatFailure. */
    refresh: () => starting ?? begin(),
    /** Like `refresh`, with a new token from the site, and only after what is running now has ended. */
    renew(): Promise<string> {
      if (renewal) return renewal;
      const again = () => {
        // A logout has cancelled it.
        if (renewal !== queued) throw new ChatFailure("session_expired");
        renewal = undefined;
        confirmedToken = undefined;
        return begin();
      };
      const queued: Promise<string> | undefined = starting?.then(again, again);
      renewal = queued;
      return queued ?? again();
    },
    /** Runs `call` with a token, and again with a new session if the old one is over. Throws a ChatFailure. */
    withToken,
    /** As above. A start that is under way does this by itself if the facts have changed since it sent them. */
    sendPageFacts(): void {
      if (!starting) sendPageFacts();
    },
    /** Forgets the session and clears the screen. Returns the token that is still to be revoked. */
    forget(): string | undefined {
      const token = tokens.forget();
      generation += 1;
      isReady = false;
      starting = renewal = undefined;
      identity.value = NOBODY;
      state.value = { kind: "none" };
      clear("logout");
      return token;
    },
  };
});
