import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { PublicConfig } from "../../shared/api/config.ts";
import type { SessionState, StartSession } from "../../shared/api/session.ts";
import type { Attachment } from "../../shared/attachment.ts";
import { applyDiscard, applyErased, applySending } from "./apply-own.ts";
import { type BffClient, createBffClient, type Sign } from "./bff-client.ts";
import { type Carries, carriesOf } from "./carries.ts";
import type { ChatFailure } from "./chat-failure.ts";
import { codePoints } from "./code-points.ts";
import { type Connection, connectionOf } from "./connection.ts";
import type { Environment } from "./environment.ts";
import type { StreamStatus } from "./event-stream.ts";
import type { Happening } from "./happenings.ts";
import { createKept } from "./kept.ts";
import type { CreateLine } from "./line.ts";
import { createLiveLine } from "./live-line.ts";
import { createLog, type Log } from "./log.ts";
import { applySnapshot, EMPTY_LOG, type LogState, MAX_WAITING } from "./log-state.ts";
import { createOutbox } from "./outbox.ts";
import { isIdentityFault } from "./problem-texts.ts";
import { createRequests, type RequestState } from "./requests.ts";
import { createRevocations } from "./revocations.ts";
import { createSessionLife, type SessionLife, type SessionPhase } from "./session-life.ts";
import { createTokenStore } from "./session-storage.ts";
import { createSiteIdentity, type SiteIdentity } from "./site-identity.ts";
import { createVisitor } from "./visitor.ts";

/** The headless panel: all state and rules. The interface shows the signals and calls the methods, nothing else. */
export interface Chat {
  readonly log: ReadonlySignal<LogState>;
  /** The conversation alone: who reads it is not woken by each piece of an answer. */
  readonly conversation: ReadonlySignal<LogState["conversation"]>;
  readonly session: ReadonlySignal<SessionPhase>;
  readonly line: ReadonlySignal<StreamStatus>;
  readonly connection: ReadonlySignal<Connection>;
  /** Messages that wait here for support to answer. */
  readonly kept: ReadonlySignal<number>;
  /** Messages of an earlier page that are kept and not shown: whose they are is not known yet. */
  readonly hidden: () => number;
  /** As many wait as can: nothing more is taken. */
  readonly isFull: ReadonlySignal<boolean>;
  /** Messages wait that a reload would lose: this browser keeps nothing, or nobody says whose they are. */
  readonly isAtRisk: ReadonlySignal<boolean>;
  /** Whether this tab may sound for what arrives: one of a browser's tabs, no more. */
  readonly mayChime: ReadonlySignal<boolean>;
  /** How the customer's last request for a person, or to end the conversation, stands. */
  readonly handoffRequest: ReadonlySignal<RequestState>;
  readonly endRequest: ReadonlySignal<RequestState>;
  /** Why the agent suggests a person; null where it does not. */
  readonly suggestion: ReadonlySignal<string | null>;
  /** How the customer's answers to the agent's actions stand, by `actionId`. */
  readonly actionRequests: ReadonlySignal<ReadonlyMap<string, RequestState>>;
  /** What this chat can carry; all of it until the session says less. */
  readonly carries: ReadonlySignal<Carries>;
  readonly draft: Signal<string>;
  /** Puts the page's words into the box; what the customer has written there stays. */
  readonly suggest: (text: string) => void;
  /** Files that the service keeps for the next message; undefined while one of them is not confirmed. */
  readonly files: Signal<readonly Attachment[] | undefined>;
  /** Files that the customer gave, and that nothing has looked at yet. */
  readonly picked: Signal<readonly File[]>;
  /** What was here is verifiably gone for good. */
  readonly isErased: ReadonlySignal<boolean>;
  /** What the parts that come later work with. */
  readonly workings: Workings;
  readonly isOpen: ReadonlySignal<boolean>;
  readonly unread: ReadonlySignal<number>;
  /** An earlier visit's session was found and is being asked for: a conversation may be about to appear. */
  readonly isResuming: ReadonlySignal<boolean>;
  /** The earlier session is over and what stood here belonged to it. */
  readonly startedOver: ReadonlySignal<boolean>;
  /** Where else help is to be had; asked for once support could not be reached. */
  readonly fallback: ReadonlySignal<PublicConfig["fallback"]>;
  /** Somebody else may be there than the one whose conversation this is: nothing of it may be shown. */
  readonly isHeld: ReadonlySignal<boolean>;
  /** Whether the owner offers a chat to those whom the site does not know. */
  readonly mayStayAnonymous: ReadonlySignal<boolean>;
  /** Where the site's word on its visitor comes from. */
  readonly site: SiteIdentity;
  /** The page says who vouches for its visitor: a new number for each word of it, below nought after its logout. */
  readonly identify: (turn: number) => void;
  /** What the page says of its visitor changed: a running session is told. */
  readonly tellTraits: () => void;
  /** Goes on without the site's word, where it failed and the customer chose to. */
  readonly stayAnonymous: () => void;
  /** Puts a message on its way, with files that are kept for it. `refused` when it is empty or too long, `full` when too many wait; then nothing changed. */
  readonly send: (text: string, files?: readonly Attachment[]) => "sending" | "refused" | "full";
  /** Sends an unconfirmed message again, with the same key. */
  readonly retry: (clientMessageId: string) => void;
  readonly discard: (clientMessageId: string) => void;
  /** Asks for a person. Gives the failure if the service did not confirm it; without a conversation it is asked after the first message. */
  readonly requestHuman: (reason?: string) => Promise<ChatFailure | undefined>;
  /** Allows or refuses what the agent asked leave for. */
  readonly answerAction: (actionId: string, approved: boolean) => Promise<void>;
  readonly endConversation: () => Promise<ChatFailure | undefined>;
  /** What does not work between the BFF and its service, in sentences; throws a ChatFailure where it may not be asked. */
  readonly readFaults: () => Promise<readonly string[]>;
  /** Forgets everything here at once, then revokes the session. Gives the failure if that could not be confirmed. */
  readonly logout: () => Promise<ChatFailure | undefined>;
  /** Takes up an earlier visit's conversation before the panel is open, where nobody has to be asked who is there. */
  readonly resume: () => void;
  readonly open: () => void;
  readonly close: () => void;
  /** The device says that it has no network. */
  readonly goOffline: () => void;
  /** The page came back, became visible, or the network did. */
  readonly wake: () => void;
  /** The page is being put away. */
  readonly pause: () => void;
  readonly subscribe: (listener: (happening: Happening) => void) => () => void;
}

export interface Workings {
  readonly client: BffClient;
  readonly session: SessionLife;
  readonly log: Log;
  readonly unread: Signal<number>;
}

export interface ChatDeps {
  readonly environment: Environment;
  /** Makes the line to a conversation, once that part is loaded. */
  readonly createLine: ReadonlySignal<CreateLine | undefined>;
  /** What is said of the page when a session starts. */
  readonly describe?: () => StartSession;
}

/** So long the line of a conversation that has ended is kept, in ms. */
const LAST_WORDS_MS = 5_000;

/** The service refuses a text that holds a control character other than line feed and tab. */
function withoutControls(text: string): string {
  return text.replace(/\p{Cc}/gu, (found) => (found === "\n" || found === "\t" ? found : ""));
}

/** Whom the session verifiably names; empty for a visitor. */
const nameOf = (who: SessionState["customer"] | undefined) => (who?.identified ? who.externalId : "");

export function createChat({ environment, createLine, describe = () => ({}) }: ChatDeps): Chat {
  const isOnline = signal(environment.isOnline());
  const isCut = signal(false);
  const client = createBffClient(environment, (sign: Sign) => {
    isCut.value = sign === "silent";
    // Whatever the device says of its network.
    if (!isCut.value) isOnline.value = true;
    if (sign !== "verified") return;
    line.hurry();
    outbox.hurry();
  });
  const log = createLog();
  const isOpen = signal(false);
  const unread = signal(0);
  const startedOver = signal(false);
  const config = signal<Pick<PublicConfig, "fallback" | "identityPolicy">>();
  const draft = signal("");
  const files = signal<readonly Attachment[] | undefined>([]);
  const picked = signal<readonly File[]>([]);
  const isErased = signal(false);
  const isSeen = () => isOpen.value && (environment.isVisible?.() ?? true);

  const tokens = createTokenStore(environment);
  const hadToken = tokens.read() !== undefined;
  const revocations = createRevocations(environment, client);
  const site = createSiteIdentity(environment);

  const session = createSessionLife({
    client,
    tokens,
    describe,
    askSite: () => (site.isVouching ? site.getToken() : "none"),
    onFailure(code) {
      // Nobody is waited for who would say whose it is: what this tab's visitor left behind is theirs.
      if (!isIdentityFault(code)) {
        if (owner() === "" && !tokens.isIdentified()) kept.show();
        return;
      }
      // The site is asked again by a person or by its own page, and not by a line that tries to reconnect.
      line.stop();
      log.tell({ type: "identity.failed", code });
    },
    onOther(before) {
      clear(before);
      environment.tabs?.post("switch");
    },
    onNamed() {
      // Whoever has a session here is covered until the next one says that it is them.
      visitor.hold();
      kept.hide();
    },
    retire: (token) => void revocations.add(token),
    onSession(state, relation, isLatest) {
      visitor.onSession(relation, isLatest);
      const { messages } = log.state.value;
      const pending = [...kept.restore(nameOf(state.customer)), ...log.state.value.pending];
      const before = { ...(relation === "same" ? log.state.value : EMPTY_LOG), pending };
      if (relation === "fresh") startedOver.value = messages.length > 0;
      const next = applySnapshot(before, state.conversation);
      const isNews = before.conversation !== null && before.conversation.id === next.conversation?.id;
      if (isNews) log.commit(next);
      else log.replace(next);
      kept.save();
      line.follow();
      outbox.run();
    },
  });
  const line = createLiveLine({
    environment,
    client,
    session,
    log,
    isOpen,
    unread,
    draft,
    isSeen,
    createLine,
  });
  const connection = connectionOf({
    session: session.phase,
    line,
    isSilent: computed(() => isCut.value || !isOnline.value),
  });
  const requests = createRequests({ client, session, log });
  const carries = carriesOf(session.phase);
  const outbox = createOutbox({
    environment,
    client,
    session,
    log,
    onConversation() {
      line.follow();
      environment.tabs?.post("started");
    },
  });
  const owner = () => nameOf(session.customer()) || (site.isVouching ? session.named() : "");
  const kept = createKept({ environment, tokens, log, draft, owner });
  const isFull = computed(() => log.state.value.pending.length + kept.hidden() >= MAX_WAITING);

  /** Takes everything off the screen; what `other` wrote is kept for them. */
  const clear = (other?: string) => {
    kept.forget(other);
    line.stop();
    log.replace(EMPTY_LOG);
    requests.reset();
    draft.value = "";
    files.value = picked.value = [];
    isErased.value = false;
    unread.value = 0;
    startedOver.value = false;
    kept.save();
  };
  const visitor = createVisitor({
    environment,
    session,
    tokens,
    site,
    revocations,
    isOpen,
    hide: kept.hide,
    onStarted: () => line.lookAgain(),
    onErased: (id) => log.commit(applyErased(log.state.value, id)),
    clear,
  });

  const markSeen = () => {
    unread.value = 0;
    line.sayAllSeen();
  };

  log.subscribe((happening) => {
    if (happening.type === "message.received") {
      if (isSeen()) markSeen();
      else unread.value += 1;
    }
    if (happening.type === "conversation.started") requests.onConversationStarted();
    // Where the answer to the end came before the log's own word of it, that is still to be heard.
    if (happening.type === "conversation.ended") environment.setTimer(line.follow, LAST_WORDS_MS);
    if (happening.type === "conversation.erased") {
      line.follow();
      requests.reset();
      unread.value = 0;
    }
    if (happening.type === "conversation.erased" || happening.type === "conversation.started")
      isErased.value = happening.type === "conversation.erased";
    const isDown = happening.type === "failed" && happening.what === "session";
    if (isDown || happening.type === "identity.failed") void readConfig();
  });

  const readConfig = async () => {
    try {
      config.value ??= await client.readConfig();
    } catch {
      // Nothing answers at all: then there is no other way to offer either.
      config.value = undefined;
    }
  };

  return {
    ...visitor,
    log: log.state,
    conversation: computed(() => log.state.value.conversation),
    session: session.phase,
    line: line.status,
    connection,
    kept: computed(() => log.state.value.pending.filter(({ status }) => status === "kept").length),
    hidden: kept.hidden,
    isFull,
    isAtRisk: kept.isAtRisk,
    mayChime: line.isLeading,
    handoffRequest: requests.handoff,
    endRequest: requests.end,
    suggestion: computed(() => log.state.value.suggestion),
    actionRequests: requests.actions,
    carries,
    draft,
    files,
    picked,
    suggest: kept.suggest,
    isErased,
    workings: { client, session, log, unread },
    isOpen,
    unread,
    isResuming: computed(() => hadToken && ["none", "starting"].includes(session.phase.value.kind)),
    startedOver,
    fallback: computed(() => config.value?.fallback),
    mayStayAnonymous: computed(() => config.value?.identityPolicy === "optional"),
    site,
    tellTraits() {
      if (session.phase.value.kind !== "ready") return;
      // Nobody waits for it, and the next session's start says it again.
      session.withToken((token) => client.startSession(token, describe())).catch(() => undefined);
    },
    send(text, attachments = []) {
      // What no keyboard types but a paste may bring would be refused as a whole; nothing that can be read is lost.
      const body = withoutControls(text.toWellFormed().replace(/\r\n?/g, "\n")).trim();
      if ((body === "" && attachments.length === 0) || codePoints(body) > carries.value.maxLength)
        return "refused";
      if (isFull.value) return "full";
      log.commit(applySending(log.state.value, environment.randomId(), body, attachments));
      outbox.run();
      return "sending";
    },
    retry(clientMessageId) {
      kept.take(clientMessageId);
      const pending = log.state.value.pending.find((known) => known.clientMessageId === clientMessageId);
      if (pending?.status === "kept") outbox.hurry(true);
      if (pending?.status !== "not_confirmed") return;
      log.commit(applySending(log.state.value, clientMessageId, pending.body, pending.attachments));
      outbox.run();
    },
    discard(clientMessageId) {
      log.commit(applyDiscard(log.state.value, clientMessageId));
    },
    requestHuman: requests.requestHuman,
    answerAction: requests.answerAction,
    endConversation: requests.endConversation,
    readFaults: () => client.readFaults(),
    resume() {
      const mayAsk = tokens.read() !== undefined && !tokens.isIdentified() && !site.isVouching;
      // Its failure stands in the session's phase, and an open panel tries again.
      if (mayAsk && session.phase.value.kind === "none") session.ensure().catch(() => undefined);
    },
    open() {
      isOpen.value = true;
      markSeen();
      void revocations.add(tokens.takeStale());
      line.reach();
    },
    close() {
      isOpen.value = false;
    },
    goOffline() {
      isOnline.value = false;
      line.drop();
    },
    wake() {
      isOnline.value ||= environment.isOnline();
      visitor.wake();
      if (isSeen()) markSeen();
      line.wake();
      outbox.hurry(true);
    },
    pause() {
      visitor.hold();
      line.pause();
    },
    subscribe: log.subscribe,
  };
}
