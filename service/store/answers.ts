import type { AnswerMade } from "../../shared/answer-made.ts";
import type { Message } from "../../shared/message.ts";
import type { ActionReport, NewAction } from "./actions.ts";
import type { DeskTarget } from "./desk.ts";
import type { LeaseTerms } from "./lease-terms.ts";

/**
 * The right to write one answer. It ends when it expires, by `finish`, or when the answer is closed because a person
 * was asked or the conversation ended. `fence` increases with each claim, so a process that lost its lease can't write
 * any more.
 */
export interface AnswerLease {
  readonly conversationId: string;
  readonly turnSeq: number;
  readonly owner: string;
  readonly fence: number;
}

/** An answer before the log assigned its position. */
export type NewAnswer = Omit<Message, "seq" | "at">;

/** The facts that an agent needs to answer a customer. */
export interface AskedQuestion {
  readonly conversationId: string;
  readonly workspaceId: string;
  readonly customerId: string;
  readonly agentProvider: string;
  readonly locale: string | undefined;
  readonly customerName: string | undefined;
  /** The most recent messages; the question is the last. */
  readonly messages: readonly Message[];
  /** The latest actions that agents asked for here, with their results; oldest first. */
  readonly actions: readonly ActionReport[];
}

export interface OwedAnswer extends AnswerLease, AskedQuestion {
  readonly answerId: string;
  /** The part of this answer that an earlier process had shown, as last stored. */
  readonly partial: NewAnswer | undefined;
}

/**
 * Answers that agents have yet to give. They survive the process. In each conversation one answer is given at a time,
 * to the oldest turn, by the process that has its lease; `addTurn` grants that lease if no other answer is open.
 */
export interface AnswerStore {
  /**
   * Leases the oldest owed answer, or finds it leased to this owner. Undefined when none is owed or another owner has
   * it.
   */
  claim(conversationId: string, terms: LeaseTerms): Promise<OwedAnswer | undefined>;
  /** Extends the lease and stores what was shown so far. False when the lease is lost: then nothing was stored. */
  renew(lease: AnswerLease, ms: number, partial: NewAnswer | undefined): Promise<boolean>;
  /**
   * Appends the answer with what it asks for and what it was made of, and leases the next one of the conversation.
   * `made` is given the names of the tools that got a card: none does for what an open card already asks.
   * Undefined, with nothing appended, when the lease is lost, a person was asked or the conversation ended.
   */
  finish(
    lease: AnswerLease,
    ms: number,
    answer: NewAnswer,
    beside?: {
      readonly actions: readonly NewAction[];
      readonly made: (asked: readonly string[]) => AnswerMade | undefined;
    },
  ): Promise<Message | undefined>;
  /** Ends the leases of one owner and drops what was shown: the answers are given again from the beginning. */
  release(owner: string): Promise<void>;
  /** Expires every lease, for a process that knows that no other one is running. Shown text stays stored. */
  expireAll(): Promise<void>;
  /** Conversations whose oldest owed answer is not leased. */
  findUnleased(): Promise<string[]>;
  /**
   * The customer's latest message and the ones before it, whoever answers now; `messages` is empty if they wrote
   * nothing.
   */
  readLastQuestion(target: DeskTarget): Promise<AskedQuestion | undefined>;
  isPending(conversationId: string, turnSeq: number): Promise<boolean>;
}
