import type { ActionArgument, ActionStatus } from "../../shared/action.ts";
import type { DeskTarget, Person } from "./desk.ts";
import type { LeaseTerms } from "./lease-terms.ts";
import type { Owner } from "./owner.ts";

/** An action that an agent asked for, checked and ready to be shown. */
export interface NewAction {
  readonly tool: string;
  /** Changes when the server describes the tool differently: then nobody has agreed to it. */
  readonly definition: string;
  readonly title: string;
  readonly arguments: readonly ActionArgument[];
  readonly input: Readonly<Record<string, unknown>>;
  readonly confirm: "customer" | "person";
  /** How long it can be allowed, in milliseconds. */
  readonly validMs: number;
}

/** An action that was allowed. Only one caller ever receives it, and that caller runs it. */
export interface AllowedAction extends Pick<NewAction, "tool" | "definition" | "input"> {
  readonly id: string;
  readonly conversationId: string;
}

export interface ActionOutcome {
  readonly status: Exclude<ActionStatus, "expired">;
  readonly text?: string | undefined;
}

/** An action of a conversation and what verifiably became of it, for the agent that answers there. */
export interface ActionReport {
  readonly tool: string;
  readonly input: NewAction["input"];
  readonly title: string;
  readonly state: "requested" | "running" | "declined" | ActionStatus;
  readonly text?: string | undefined;
}

export type ActionAnswer =
  | { readonly kind: "allowed"; readonly action: AllowedAction }
  | { readonly kind: "refused" }
  /** The same answer again, perhaps of somebody else: nothing was changed. */
  | { readonly kind: "repeated" }
  | { readonly kind: "expired" };

interface GivenAnswer {
  readonly conversationId: string;
  readonly actionId: string;
  readonly approved: boolean;
}

/**
 * Actions that agents asked for. An answer that allows one moves it to `running` in the same transaction, so it is run
 * at most once. The process that runs it holds a lease; if that expires, the outcome is unknown.
 */
export interface ActionStore {
  /**
   * The customer's own answer. @throws Failure `not_found` for a missing, a foreign and a person's action alike,
   * `key_reused` after the opposite answer, `conversation_ended`
   */
  answerAsCustomer(owner: Owner, answer: GivenAnswer, terms: LeaseTerms): Promise<ActionAnswer>;
  /** As `answerAsCustomer`, for an action that a person of the team allows. The first answer goes into the audit log. */
  answerAsPerson(
    target: DeskTarget,
    person: Person,
    answer: Omit<GivenAnswer, "conversationId">,
    terms: LeaseTerms,
  ): Promise<ActionAnswer>;
  /** Appends what became of a running action. False when that is known already: then nothing was appended. */
  finish(actionId: string, owner: string, outcome: ActionOutcome): Promise<boolean>;
  /**
   * Ends actions that nobody answered in time, and running ones whose process is silent or, with `isOnlyProcess`, any
   * running one. Returns how many.
   */
  expire(options: { readonly isOnlyProcess: boolean }): Promise<number>;
}
