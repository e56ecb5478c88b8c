import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { PublicConfig } from "../../shared/api/config.ts";
import type { SessionState, StartSession } from "../../shared/api/session.ts";
import type { Attachment } from "../../shared/attachment.ts";
import { applyDiscard, applyErased, applySending } from "./apply-own.ts";
import { type BffClient, createBffClient, type Sign } from "./bff-client.ts";
import type { ChatFailure } from "./chat-failure.ts";
import { codePoints } from "./code-points.ts";
import { type Connection, connectionOf } from "./connection.ts";
import type { Environment } from "./environment.ts";
import type { StreamStatus } from "./event-stream.ts";
import { type Features, featuresOf } from "./features.ts";
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
import { createSessionLife, type SessionLife } from "./session-life.ts";
import { createTokenStore } from "./session-storage.ts";
import { createSiteIdentity, type SiteIdentity } from "./site-identity.ts";
import { createVisitor } from "./visitor.ts";

/** The headless panel: all state and rules. The interface shows the signals and calls the methods, nothing else. */
export interface Chat {
  readonly isOpen: ReadonlySignal<boolean>;
  readonly open: () => void;
  readonly close: () => void;
  /** Takes up an earlier visit's conversation before the panel is opened, if nobody has to be asked who is there. */
  readonly resume: () => void;
  /** The device reports that it has no network. */
  readonly goOffline: () => void;
  /** The page came back, became visible, or the network did. */
  readonly wake: () => void;
  /** The page is being put away. */
  readonly pause: () => void;
  /** Returns an unsubscriber. */
  readonly subscribe: (listener: (happening: Happening) => void) => () => void;
  /** Reports something that is not visible in the state of the log. */
  readonly tell: (happening: Happening) => void;
  readonly client: BffClient;
  readonly identity: ChatIdentity;
  readonly session: ChatSession;
  readonly connection: ChatConnection;
  readonly composer: ChatComposer;
  readonly outbox: ChatOutbox;
  readonly conversation: ChatConversation;
}

/** Who is there. */
export interface ChatIdentity {
  /** Somebody else may be there than the owner of this conversation: none of it may be shown. */
  readonly isChanging: ReadonlySignal<boolean>;
  /** Whether the owner offers a chat to visitors whom the site does not know. */
  readonly mayStayAnonymous: ReadonlySignal<boolean>;
  /** Asks the site's page for identity tokens. */
  readonly site: SiteIdentity;
  /** The page reports who vouches for its visitor: a new number for each statement, negative after its logout. */
  readonly identify: (turn: number) => void;
  /** Goes on without the site's token, after it failed and the customer chose to. */
  readonly stayAnonymous: () => void;
  /** Forgets everything here at once, then revokes the session. Returns the failure if that was not confirmed. */
  readonly logout: () => Promise<ChatFailure | undefined>;
}

/** The session at the BFF, and what the service behind it offers. */
export interface ChatSession extends SessionLife {
  /** What this chat offers; everything until the session says less. */
  readonly features: ReadonlySignal<Features>;
  /** An earlier visit's session was found and is being asked for: a conversation may be about to appear. */
  readonly isResuming: ReadonlySignal<boolean>;
  /** What the page says of its visitor changed: a running session sends it again. */
  readonly sendPageFacts: () => void;
}

export interface ChatConnection {
  readonly state: ReadonlySignal<Connection>;
  readonly stream: ReadonlySignal<StreamStatus>;
  /** This tab holds the connection for all tabs of the browser; only this one may play a sound. */
  readonly isLeading: ReadonlySignal<boolean>;
  /** Where else help is available; asked for once support could not be reached. */
  readonly fallback: ReadonlySignal<PublicConfig["fallback"]>;
}

/** The text box and the files beside it. */
export interface ChatComposer {
  readonly draft: Signal<string>;
  /** Puts the page's words into the box; what the customer has written there stays. */
  readonly suggest: (text: string) => void;
  /** Files that the service stored for the next message; undefined while one of them is not confirmed. */
  readonly files: Signal<readonly Attachment[] | undefined>;
  /** Files that the customer gave, and that nothing has looked at yet. */
  readonly picked: Signal<readonly File[]>;
}

/** Messages that the service has not confirmed. */
export interface ChatOutbox {
  /** How many messages wait here until support can be reached. */
  readonly queuedCount: ReadonlySignal<number>;
  /** How many messages of an earlier page are stored and not shown, because their owner is not known yet. */
  readonly hiddenCount: () => number;
  /** No further message can wait here. */
  readonly isFull: ReadonlySignal<boolean>;
  /** A reload would lose waiting messages: this browser stores nothing, or their owner is not known. */
  readonly isAtRisk: ReadonlySignal<boolean>;
  /** Sends a message, with files that are stored for it. `refused` when it is empty or too long, `full` when too many wait; then nothing changed. */
  readonly send: (text: string, files?: readonly Attachment[]) => "sending" | "refused" | "full";
  /** Sends an unconfirmed message again, with the same key. */
  readonly retry: (clientMessageId: string) => void;
  readonly discard: (clientMessageId: string) => void;
}

export interface ChatConversation {
  /** All that this screen knows of the conversation. */
  readonly log: ReadonlySignal<LogState>;
  /** Only the conversation itself: its readers do not run for each piece of an answer. */
  readonly current: ReadonlySignal<LogState["conversation"]>;
  readonly commit: Log["commit"];
  readonly unread: Signal<number>;
  /** The conversation was verifiably erased. */
  readonly isErased: ReadonlySignal<boolean>;
  /** The earlier session is over, and the messages shown here belonged to it. */
  readonly startedOver: ReadonlySignal<boolean>;
  /** Why the agent suggests a person; null if it does not. */
  readonly suggestion: ReadonlySignal<string | null>;
  /** How the customer's last request for a person, or to end the conversation, stands. */
  readonly handoffRequest: ReadonlySignal<RequestState>;
  readonly endRequest: ReadonlySignal<RequestState>;
  /** How the customer's answers to the agent's actions stand, by `actionId`. */
  readonly actionRequests: ReadonlySignal<ReadonlyMap<string, RequestState>>;
  /** Asks for a person. Returns the failure if the service did not confirm it; without a conversation it is asked after the first message. */
  readonly requestHuman: (reason?: string) => Promise<ChatFailure | undefined>;
  /** Allows or refuses an action that the agent asked about. */
  readonly answerAction: (actionId: string, approved: boolean) => Promise<void>;
  readonly end: () => Promise<ChatFailure | undefined>;
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
    session: session.state,
    line,
    isSilent: computed(() => isCut.value || !isOnline.value),
  });
  const requests = createRequests({ client, session, log });
  const features = featuresOf(session.state);
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
    isOpen,
    open() {
      isOpen.value = true;
      markSeen();
      void revocations.add(tokens.takeStale());
      line.reach();
    },
    close() {
      isOpen.value = false;
    },
    resume() {
      const mayAsk = tokens.read() !== undefined && !tokens.isIdentified() && !site.isVouching;
      // Its failure stands in the session's state, and an open panel tries again.
      if (mayAsk && session.state.value.kind === "none") session.ensure().catch(() => undefined);
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
    tell: log.tell,
    client,
    identity: {
      isChanging: visitor.isHeld,
      mayStayAnonymous: computed(() => config.value?.identityPolicy === "optional"),
      site,
      identify: visitor.identify,
      stayAnonymous: visitor.stayAnonymous,
      logout: visitor.logout,
    },
    session: {
      ...session,
      features,
      isResuming: computed(() => hadToken && ["none", "starting"].includes(session.state.value.kind)),
      sendPageFacts() {
        if (session.state.value.kind !== "ready") return;
        // Nobody waits for it, and the next session's start sends it again.
        session.withToken((token) => client.startSession(token, describe())).catch(() => undefined);
      },
    },
    connection: {
      state: connection,
      stream: line.status,
      isLeading: line.isLeading,
      fallback: computed(() => config.value?.fallback),
    },
    composer: { draft, suggest: kept.suggest, files, picked },
    outbox: {
      queuedCount: computed(() => log.state.value.pending.filter(({ status }) => status === "kept").length),
      hiddenCount: kept.hidden,
      isFull,
      isAtRisk: kept.isAtRisk,
      send(text, attachments = []) {
        // The service would refuse the whole message for control characters, which a paste may bring.
        const body = withoutControls(text.toWellFormed().replace(/\r\n?/g, "\n")).trim();
        if ((body === "" && attachments.length === 0) || codePoints(body) > features.value.maxLength)
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
    },
    conversation: {
      log: log.state,
      current: computed(() => log.state.value.conversation),
      commit: log.commit,
      unread,
      isErased,
      startedOver,
      suggestion: computed(() => log.state.value.suggestion),
      handoffRequest: requests.handoff,
      endRequest: requests.end,
      actionRequests: requests.actions,
      requestHuman: requests.requestHuman,
      answerAction: requests.answerAction,
      end: requests.endConversation,
    },
  };
}
