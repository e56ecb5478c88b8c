import { LRUCache } from "lru-cache";
import type { Clock } from "../../../shared/server/clock.ts";

/** More conversations and customers than talk to an agent in a day; each costs some hundred bytes. */
const MAX_COUNTED = 20_000;

/** Tokens of questions and answers together; `Infinity` is no limit. */
export interface TokenLimits {
  readonly conversation: number;
  /** On one day, in UTC. */
  readonly customer: number;
  /** On one day, of everybody together. */
  readonly day: number;
}

export interface Spent {
  /** `2026-11-23`, in UTC. */
  readonly day: string;
  readonly tokens: number;
}

/** Stores today's tokens, so a restart does not grant them again. */
export interface SpentStore {
  read(): Spent | undefined;
  write(spent: Spent): void;
}

export interface TokenBudget {
  /**
   * Reserves tokens for one call, or reports which limit is reached. `settle` replaces the estimate by what the call
   * really took.
   */
  book(
    who: { readonly conversationId: string; readonly customerId: string },
    estimate: number,
  ): { readonly reached: keyof TokenLimits } | { settle(tokens: number): void };
}

/**
 * Counts the tokens that a model took. The day's total survives a restart, the counts of single conversations and
 * customers do not.
 */
export function createTokenBudget(limits: TokenLimits, clock: Clock, store: SpentStore): TokenBudget {
  const conversations = new LRUCache<string, number>({ max: MAX_COUNTED });
  const customers = new LRUCache<string, number>({ max: MAX_COUNTED });
  const today = () => new Date(clock.now()).toISOString().slice(0, 10);
  const stored = store.read();
  let spent: Spent = stored?.day === today() ? stored : { day: today(), tokens: 0 };
  const turnDay = () => {
    if (spent.day === today()) return;
    spent = { day: today(), tokens: 0 };
    customers.clear();
  };
  return {
    book({ conversationId, customerId }, estimate) {
      turnDay();
      const counts = {
        conversation: conversations.get(conversationId) ?? 0,
        customer: customers.get(customerId) ?? 0,
        day: spent.tokens,
      };
      const reached = (["conversation", "customer", "day"] as const).find(
        (name) => counts[name] + estimate > limits[name],
      );
      if (reached) return { reached };
      const add = (tokens: number) => {
        turnDay();
        conversations.set(conversationId, (conversations.get(conversationId) ?? 0) + tokens);
        customers.set(customerId, Math.max(0, (customers.get(customerId) ?? 0) + tokens));
        spent = { day: spent.day, tokens: Math.max(0, spent.tokens + tokens) };
      };
      add(estimate);
      return {
        settle(tokens) {
          add(tokens - estimate);
          store.write(spent);
        },
      };
    },
  };
}
