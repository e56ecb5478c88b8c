import { createModel, effect, type ReadonlySignal, signal } from "@preact/signals";
import type { DeskDraft } from "../../shared/desk.ts";
import type { Failure } from "../../shared/errors.ts";
import type { Announcer } from "../client/announcer.ts";
import type { DeskClient } from "./desk-client.ts";
import { texts } from "./texts.ts";

type Drafted = Extract<DeskDraft, { kind: "drafted" }>;

/**
 * offered: it waits beside what the person typed. inserted: the reply box has it. none: why there is no draft. failed:
 * the service did not answer.
 */
export type AgentDraft =
  | { readonly kind: "asking" }
  | { readonly kind: "offered" | "inserted"; readonly draft: Drafted }
  | { readonly kind: "none"; readonly reason: Exclude<DeskDraft["kind"], "drafted"> }
  | { readonly kind: "failed"; readonly failure: Failure };

export interface AgentDraftsDeps {
  readonly client: Pick<DeskClient, "draft">;
  readonly announcer: Announcer;
  readonly openedId: ReadonlySignal<string | undefined>;
  readonly isMine: ReadonlySignal<boolean>;
  readonly noteFailure: (cause: unknown) => Failure;
  /** The text that the person has typed into a conversation's reply box. */
  readonly readBox: (id: string) => string;
  readonly fillBox: (id: string, text: string) => void;
}

export type AgentDraftsModel = InstanceType<typeof AgentDraftsModel>;

/** Replies that the agent drafts for the person, at most one for each conversation. Only the person sends one. */
export const AgentDraftsModel = createModel((deps: AgentDraftsDeps) => {
  const { client, announcer, openedId, isMine } = deps;
  const agentDrafts = signal<Readonly<Record<string, AgentDraft>>>({});
  /** The conversations whose reply box has words of a draft, which the audit log names when they are sent. */
  const drafted = signal<readonly string[]>([]);
  let asking: AbortController | undefined;

  const set = (id: string, next: AgentDraft | undefined): void => {
    const { [id]: _, ...others } = agentDrafts.peek();
    agentDrafts.value = next ? { ...others, [id]: next } : others;
  };
  const unmark = (id: string): void => {
    drafted.value = drafted.peek().filter((each) => each !== id);
  };
  const put = (id: string, draft: Drafted): void => {
    const typed = deps.readBox(id);
    deps.fillBox(id, typed.trim() === "" ? draft.body : `${typed.trimEnd()}\n\n${draft.body}`);
    drafted.value = [...drafted.peek(), id];
    set(id, { kind: "inserted", draft });
  };
  const arrive = (id: string, draft: DeskDraft): void => {
    if (draft.kind !== "drafted") {
      set(id, { kind: "none", reason: draft.kind });
      announcer.say(texts.draft.none[draft.kind], true);
    } else if (deps.readBox(id).trim() === "") {
      put(id, draft);
      announcer.say(texts.draft.saidInserted);
    } else {
      set(id, { kind: "offered", draft });
      announcer.say(texts.draft.saidOffered);
    }
  };
  const stopDrafting = (): void => {
    asking?.abort();
    asking = undefined;
  };
  // A person who leaves the conversation, or no longer has it, needs no draft for it.
  effect(() => {
    const id = openedId.value;
    if (id !== undefined && isMine.value) return stopDrafting;
    return undefined;
  });

  return {
    agentDrafts: agentDrafts as ReadonlySignal<Readonly<Record<string, AgentDraft>>>,
    drafted,
    stopDrafting,
    async askForDraft(): Promise<void> {
      const id = openedId.peek();
      if (id === undefined || !isMine.peek() || asking) return;
      const own = new AbortController();
      asking = own;
      own.signal.addEventListener("abort", () => set(id, undefined), { once: true });
      set(id, { kind: "asking" });
      try {
        const draft = await client.draft(id, own.signal);
        if (!own.signal.aborted) arrive(id, draft);
      } catch (cause) {
        if (own.signal.aborted) return;
        const failure = deps.noteFailure(cause);
        set(id, { kind: "failed", failure });
        announcer.say(texts.draft.failed, true);
      } finally {
        if (asking === own) asking = undefined;
      }
    },
    /** Puts the offered draft below what the person typed. */
    insertDraft(): void {
      const id = openedId.peek();
      const offered = id === undefined ? undefined : agentDrafts.peek()[id];
      if (id !== undefined && offered?.kind === "offered") put(id, offered.draft);
    },
    /** Removes the draft's mark, or the reason why there is no draft, from the open conversation. */
    dismissDraft(): void {
      const id = openedId.peek();
      if (id !== undefined) set(id, undefined);
    },
    /** The reply box was emptied: its text is the person's own from now on. */
    noteEmptied(id: string): void {
      unmark(id);
      const known = agentDrafts.peek()[id];
      if (known?.kind === "inserted") set(id, { kind: "offered", draft: known.draft });
    },
    /** The reply is being sent: whether its text began as a draft. */
    takeDraft(id: string): boolean {
      const known = agentDrafts.peek()[id];
      if (known?.kind === "asking") stopDrafting();
      set(id, undefined);
      const isDrafted = drafted.peek().includes(id);
      unmark(id);
      return isDrafted;
    },
    clearDrafts(): void {
      stopDrafting();
      drafted.value = [];
      agentDrafts.value = {};
    },
  };
});
