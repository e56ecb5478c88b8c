import { type ReadonlySignal, signal } from "@preact/signals";
import type { SessionState, StartSession } from "../../shared/api/session.ts";
import type { BffClient } from "./bff-client.ts";
import { ChatFailure, failureFrom, isSessionOver } from "./chat-failure.ts";
import type { TokenStore } from "./session-storage.ts";

export type SessionPhase =
  | { readonly kind: "none" | "starting" }
  | {
      readonly kind: "ready";
      readonly customer: SessionState["customer"];
      readonly capabilities: readonly string[];
    }
  | { readonly kind: "failed"; readonly failure: ChatFailure };

export interface SessionLifeDeps {
  readonly client: BffClient;
  readonly tokens: TokenStore;
  readonly describe: () => StartSession;
  /** A session was verifiably started or resumed; `isSameCustomer` is false when what is on the screen is not theirs. */
  readonly onSession: (state: SessionState, isSameCustomer: boolean) => void;
}

export interface SessionLife {
  readonly phase: ReadonlySignal<SessionPhase>;
  /** The token of the running session; starts or resumes one if there is none. Throws a ChatFailure. */
  ensure(): Promise<string>;
  /** Asks for the session again, and with it for the conversation as the service has it now. Throws a ChatFailure. */
  refresh(): Promise<string>;
  /** Runs `call` with a token, once more with a new session if the old one is over. Throws a ChatFailure. */
  withToken<T>(call: (token: string) => Promise<T>): Promise<T>;
  /** Forgets the session here and now; gives the token that is still to be revoked. */
  forget(): string | undefined;
}

export function createSessionLife({ client, tokens, describe, onSession }: SessionLifeDeps): SessionLife {
  const phase = signal<SessionPhase>({ kind: "none" });
  let starting: Promise<string> | undefined;
  let isReady = false;
  let customerId: string | undefined;
  // Counts the logouts: what was asked for before one must not come to light after it (R26, R27).
  let era = 0;

  const open = async (): Promise<SessionState> => {
    const token = tokens.read();
    if (token) {
      try {
        return await client.startSession(token, describe());
      } catch (error) {
        if (!isSessionOver(error)) throw error;
        if (tokens.read() === token) tokens.clear();
      }
    }
    return client.startSession(undefined, describe());
  };

  const start = async (): Promise<string> => {
    const mine = era;
    // A doubt stays on the screen until it is settled; only a first start is "starting".
    if (phase.value.kind === "none") phase.value = { kind: "starting" };
    try {
      const state = await open();
      if (mine !== era) throw new ChatFailure("session_expired");
      tokens.write(state.token);
      isReady = true;
      phase.value = { kind: "ready", customer: state.customer, capabilities: state.capabilities };
      const isSame = customerId === undefined || customerId === state.customer.externalId;
      customerId = state.customer.externalId;
      onSession(state, isSame);
      return state.token;
    } catch (error) {
      const failure = failureFrom(error);
      if (mine === era) {
        isReady = false;
        phase.value = { kind: "failed", failure };
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
    phase,
    ensure,
    refresh: () => starting ?? begin(),
    async withToken(call) {
      const mine = era;
      const checked = async (token: string) => {
        const answer = await call(token);
        if (mine !== era) throw new ChatFailure("session_expired");
        return answer;
      };
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
      customerId = undefined;
      tokens.clear();
      phase.value = { kind: "none" };
      return token;
    },
  };
}
