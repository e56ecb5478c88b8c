import type { ReadonlySignal, Signal } from "@preact/signals";
import type { LiveEvent, LoggedEvent } from "../../shared/event.ts";
import type { StreamStatus } from "../client/event-stream.ts";
import type { Following } from "./connection.ts";
import type { ConversationLog } from "./conversation-log.ts";
import type { Environment, Room } from "./environment.ts";
import { statusOf } from "./following.ts";
import { readSaying, type TabSaying } from "./wire-events.ts";

/** How often the leading tab sends a heartbeat. */
const BEAT_MS = 2_000;
/** A visible tab that got no heartbeat for this long takes the lead, because the other one is frozen. */
const SILENCE_MS = 5_000;
/** Longer messages do not come from our tabs. */
const MAX_SAYING = 500_000;

export interface SharedStreamDeps {
  readonly environment: Pick<Environment, "joinRoom" | "setTimer" | "isVisible" | "isWriting">;
  readonly log: ConversationLog;
  readonly following: ReadonlySignal<Following>;
  readonly isLeading: Signal<boolean>;
  readonly unread: Signal<number>;
  readonly draft: Signal<string>;
  /** Whether somebody is looking at the panel of this tab. */
  readonly isSeen: () => boolean;
  /** This tab has the stream from now on, or no longer does. */
  readonly onLead: () => void;
  readonly onFollow: () => void;
  /** The next event, passed on by the leading tab. */
  readonly onEvent: (event: LoggedEvent | LiveEvent) => void;
  readonly onStatus: (status: StreamStatus) => void;
  /** The leading tab has events that this one missed. */
  readonly onBehind: () => void;
  /** Another tab opened, or has heard from the server. */
  readonly onHello: () => void;
}

/**
 * One event stream for all tabs that show a conversation: the leading tab holds it and passes each event to the others
 * with the position before it, so a lost event is noticed. Without locks each tab has its own stream.
 */
export function createSharedStream(deps: SharedStreamDeps) {
  const { environment, log, following, unread, draft, isLeading } = deps;
  let room: Room | undefined;
  let id: string | undefined;
  let name: string | undefined;
  let cancelTick = (): void => undefined;
  /** The draft as the other tabs know it. */
  let shared = "";

  const say = (type: TabSaying["type"], event?: TabSaying["event"]) => {
    const { conversation, lastSeq } = log.state.peek();
    const said = {
      type,
      conversation: id,
      epoch: conversation?.epoch,
      seq: lastSeq,
      status: statusOf(following.peek()),
      event,
      unread: unread.peek(),
      draft: event ? "" : draft.peek(),
    };
    room?.post(JSON.stringify(said));
  };

  const tick = () => {
    cancelTick();
    if (!room) return;
    const run = () => {
      if (isLeading.value) say("beat");
      else if (environment.isVisible()) ask(true);
      tick();
    };
    cancelTick = environment.setTimer(run, isLeading.value ? BEAT_MS : SILENCE_MS);
  };

  const lead = () => {
    isLeading.value = true;
    tick();
    deps.onLead();
    say("beat");
  };

  const ask = (isTaken: boolean) => {
    const mine = room;
    mine?.lead(
      isTaken,
      () => {
        if (room === mine && !isLeading.value) lead();
      },
      () => {
        if (room !== mine) return;
        if (!isLeading.value) return lead();
        isLeading.value = false;
        deps.onFollow();
        tick();
        ask(false);
      },
    );
  };

  const takeDraft = (given: string) => {
    // Another tab must not replace a draft that was written here and not shared yet.
    if (environment.isWriting() || (draft.value !== "" && draft.value !== shared)) return;
    shared = given;
    draft.value = given;
  };

  const hear = (raw: unknown) => {
    const said = typeof raw === "string" && raw.length <= MAX_SAYING ? readSaying(raw) : undefined;
    if (said === undefined || said.conversation !== id) return;
    const { type } = said;
    if (type === "seen") unread.value = 0;
    else if (type === "draft") takeDraft(said.draft);
    else if (type !== "hello") follow(said);
    else if (isLeading.value) welcome();
  };

  const welcome = () => {
    deps.onHello();
    say("beat");
    const { answer } = log.state.value;
    if (answer?.broken === false)
      say("event", { type: "response.snapshot", messageId: answer.messageId, text: answer.text });
  };

  const follow = ({ epoch, seq, event, ...said }: TabSaying) => {
    if (isLeading.value) return;
    tick();
    deps.onStatus(said.status);
    const { conversation, lastSeq } = log.state.value;
    if (epoch !== conversation?.epoch || seq > lastSeq) deps.onBehind();
    else if (event) deps.onEvent(event);
    if (event) return;
    if (!deps.isSeen()) unread.value = said.unread;
    else if (said.unread > 0) say("seen");
    if (said.draft !== "" && draft.value === "") takeDraft(said.draft);
  };

  const leave = () => {
    cancelTick();
    room?.leave();
    room = id = name = undefined;
    isLeading.value = false;
  };

  return {
    isIn: () => id !== undefined,
    /**
     * Joins the tabs that show this conversation as this customer. Returns whether this tab was not among them. A tab
     * that still has the session of the visitor who became a customer elsewhere is not, because its token is revoked.
     */
    join(conversationId: string, customerId: string | undefined): boolean {
      const next = `parley.line.${conversationId}.${customerId}`;
      if (name === next) return false;
      leave();
      id = conversationId;
      name = next;
      room = environment.joinRoom?.(name, hear);
      if (!room) lead();
      ask(false);
      if (!isLeading.value) tick();
      say("hello");
      return true;
    },
    leave,
    say,
    /** The draft changed: the other tabs are informed, unless it came from them. */
    shareDraft(text: string) {
      if (text === shared || !room) return;
      shared = text;
      say("draft");
    },
  };
}
