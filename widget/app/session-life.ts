import { type ReadonlySignal, signal } from "@preact/signals";
import type { SessionState, StartSession } from "../../shared/api/session.ts";
import type { FailureCode } from "../../shared/errors.ts";
import type { BffClient } from "./bff-client.ts";
import { ChatFailure, failureFrom, isSessionOver } from "./chat-failure.ts";
import type { TokenStore } from "./session-storage.ts";

type Customer = SessionState["customer"];

export type SessionPhase =
  | { readonly kind: "none" | "starting" }
  | {
      readonly kind: "ready";
      readonly customer: Customer;
      readonly capabilities: readonly string[];
    }
  | { readonly kind: "failed"; readonly failure: ChatFailure };

/** Who is there now, seen from who was: the same; the same person in a new session; somebody else. */
export type Relation = "same" | "fresh" | "other";

export interface SessionLifeDeps {
  readonly client: BffClient;
  readonly tokens: TokenStore;
  readonly describe: () => StartSession;
  /** Asks the site who is there. `none`: it does not vouch for its visitors. */
  readonly askSite: () => Promise<string | undefined> | "none";
  /** A session was verifiably started or resumed; `isLatest` unless the site was asked anew meanwhile. */
  readonly onSession: (state: SessionState, relation: Relation, isLatest: boolean) => void;
  readonly onFailure: (code: FailureCode) => void;
  /** The site is about to name another than `before`, who has no session yet. */
  readonly onOther: (before: string) => void;
  /** The site has named somebody; nothing has verified it yet. */
  readonly onNamed: () => void;
  /** A session is done with; its token is still to be revoked. */
  readonly retire: (token: string) => void;
}

export interface SessionLife {
  readonly state: ReadonlySignal<SessionPhase>;
  /** The customer of the last session, until a logout. */
  readonly customer: () => Customer | undefined;
  /** Whom the site's last token names; empty where the site said that nobody is signed in. Not verified: fit to hide by, not to show. */
  readonly named: () => string | undefined;
  /** The token of the running session; starts or resumes one if there is none. Throws a ChatFailure. */
  ensure(): Promise<string>;
  /** Asks for the session again, and with it for the conversation as the service has it now. Throws a ChatFailure. */
  refresh(): Promise<string>;
  /** As `refresh`, by a new word of the site, and not before what runs now is through. */
  renew(): Promise<string>;
  /** Runs `call` with a token, once more with a new session if the old one is over. Throws a ChatFailure. */
  withToken<T>(call: (token: string) => Promise<T>): Promise<T>;
  /** Forgets the session here and now; gives the token that is still to be revoked. */
  forget(): string | undefined;
}

export function createSessionLife(deps: SessionLifeDeps): SessionLife {
  const { client, tokens, describe, askSite, onSession, onFailure, onOther, onNamed, retire } = deps;
  const state = signal<SessionPhase>({ kind: "none" });
  let starting: Promise<string> | undefined;
  let isReady = false;
  let customer: Customer | undefined;
  // The token that the site vouched for on this page: its session is asked for again without asking the site.
  let vouched: string | undefined;
  // Counts the words of the site, and whatever makes its last one stale.
  let word = 0;
  // Counts the logouts: what was asked for before one must not come to light after it.
  let era = 0;

  // Whom the site's last token names. Nothing here trusts it, but it tells two people apart before either has a session:
  // what the first wrote and could not send is not the second's.
  let named: string | undefined;

  /** The session, and whether an anonymous one became a customer's in it. */
  const open = async (hear: (subject: string) => void): Promise<[SessionState, isLinked: boolean]> => {
    const isVouched = vouched !== undefined && vouched === tokens.read();
    const asked = isVouched ? "none" : askSite();
    const isKnown = tokens.isIdentified() || customer?.identified;
    // What the site vouched for goes on by its word alone, given anew on each page: never a silent step down.
    if (asked === "none" && isKnown && !isVouched) throw new ChatFailure("identity_required");
    const identity = asked === "none" ? undefined : await asked;
    const subject = identity ? subjectIn(identity) : "";
    if (asked !== "none" && typeof subject === "string") hear(subject);
    const body = { ...describe(), ...(identity ? { token: identity } : {}) };
    const token = tokens.read();
    if (token && tokens.isIdentified() && !identity && !isVouched) {
      // The site says that nobody is signed in any more.
      tokens.clear();
      retire(token);
    } else if (token) {
      try {
        return [await client.startSession(token, body), Boolean(identity) && !tokens.isIdentified()];
      } catch (error) {
        if (!isSessionOver(error)) throw error;
        if (tokens.read() === token) tokens.clear();
        // Its time is over: the site is asked, whose word an identified customer needs.
        if (isVouched) return open(hear);
      }
    }
    return [await client.startSession(undefined, body), false];
  };

  const relationOf = (next: Customer, isLinked: boolean): Relation => {
    if (customer?.externalId === next.externalId) return "same";
    // Whatever became of the token while it was asked with: no session of a customer becomes another's.
    if (customer?.identified) return "other";
    return !customer || isLinked ? "same" : "fresh";
  };

  const start = async (): Promise<string> => {
    let mine = era;
    const heard = word;
    const hear = (subject: string) => {
      if (mine !== era || subject === named) return;
      if (named && !customer?.identified) {
        // As a logout does: what the first asked for is not asked in the name of the next.
        mine = era += 1;
        onOther(named);
      }
      named = subject;
      onNamed();
    };
    // A doubt stays on the screen until it is settled; only a first start is "starting".
    if (state.value.kind === "none") state.value = { kind: "starting" };
    try {
      const [answer, isLinked] = await open(hear);
      if (mine !== era) {
        retire(answer.token);
        throw new ChatFailure("session_expired");
      }
      const relation = relationOf(answer.customer, isLinked);
      if (relation === "other") era += 1;
      tokens.write(answer.token, answer.customer.identified);
      vouched = answer.token;
      isReady = true;
      customer = answer.customer;
      state.value = { kind: "ready", customer, capabilities: answer.capabilities };
      onSession(answer, relation, heard === word);
      return answer.token;
    } catch (error) {
      const failure = failureFrom(error);
      if (mine === era) {
        isReady = false;
        state.value = { kind: "failed", failure };
        onFailure(failure.code);
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

  return {
    state,
    customer: () => customer,
    named: () => named,
    ensure,
    refresh: () => starting ?? begin(),
    renew() {
      word += 1;
      const again = () => {
        vouched = undefined;
        return begin();
      };
      return starting?.then(again, again) ?? again();
    },
    async withToken(call) {
      const mine = era;
      const isMine = <T>(thing: T): T => {
        if (mine !== era) throw new ChatFailure("session_expired");
        return thing;
      };
      // What one customer asked for is never asked in the name of the next.
      const checked = async (token: string) => isMine(await call(isMine(token)));
      const token = await ensure();
      try {
        return await checked(token);
      } catch (error) {
        if (!isSessionOver(error) || mine !== era) throw error;
        if (tokens.read() === token) {
          tokens.clear();
          isReady = false;
        }
        return checked(await ensure());
      }
    },
    forget() {
      const token = tokens.read();
      era += 1;
      isReady = false;
      starting = undefined;
      customer = named = undefined;
      tokens.clear();
      state.value = { kind: "none" };
      return token;
    },
  };
}

/** The `sub` of a token, as it stands there: whatever that is, but no empty one, which would stand for nobody. */
function subjectIn(token: string): unknown {
  try {
    const claims = atob(`${token.split(".")[1]}`.replaceAll("-", "+").replaceAll("_", "/"));
    // Its bytes as UTF-8: no other way is as short, and every browser has this one.
    return JSON.parse(decodeURIComponent(escape(claims))).sub || undefined;
  } catch {
    // No such token: the BFF will say so.
    return undefined;
  }
}
