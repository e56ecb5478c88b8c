import { effect, type ReadonlySignal, signal } from "@preact/signals";
import { cleaned } from "../../shared/characters.ts";
import {
  type FrameCommand,
  isPortMessage,
  type PageFacts,
  type PanelSettings,
  PERSONAL_SETTINGS,
  PORT_VERSION,
  type PublicEvent,
  type PublicEventType,
  type ToFrame,
  type ToLoader,
} from "../../shared/frame-port.ts";
import type { Chat } from "./chat.ts";
import { failureFrom } from "./chat-failure.ts";
import type { Connection } from "./connection.ts";
import type { Language } from "./language.ts";
import type { PanelEvent } from "./panel-events.ts";
import { faultsIn, type IsValid } from "./setting-faults.ts";

/** The service refuses a longer reason, in code points, and the request for a person with it. */
const MAX_REASON = 500;
/** Only the first faults of a page are reported. */
const MAX_REPORTS = 10;

/** The parts of a window message that the handshake checks. */
export type Greeting = Pick<MessageEvent, "data" | "isTrusted" | "origin" | "ports" | "source">;

/**
 * Returns the port if this is our loader: a trusted message, from the window that embeds us, from an origin on the
 * list, in our version. Undefined for anything else, whatever it looks like.
 */
export function acceptPort(
  greeting: Greeting,
  parent: unknown,
  origins: readonly string[],
): MessagePort | undefined {
  const { data, isTrusted, origin, ports, source } = greeting;
  if (!isTrusted || source !== parent || !origins.includes(origin) || ports.length !== 1) return undefined;
  if (!isPortMessage(data, ["connect"])) return undefined;
  return (data as { parley?: unknown }).parley === PORT_VERSION ? ports[0] : undefined;
}

/** Settings and page data that the site sent to the frame. */
export function createPageFacts() {
  return { settings: signal<PanelSettings>({}), page: signal<PageFacts | undefined>(undefined) };
}

export interface LoaderPortDeps {
  readonly chat: Chat;
  readonly facts: ReturnType<typeof createPageFacts>;
  /** A person's gesture opened the panel: focus may move into it. */
  readonly onFocus: () => void;
  /** Runs once the change is on the screen. */
  readonly afterPaint: (run: () => void) => void;
  readonly language: ReadonlySignal<Pick<Language, "texts">>;
  /** Tells the site's developer, in the browser's console. */
  readonly warn: (sentence: string) => void;
  readonly isValid: IsValid;
  readonly css: string;
}

/**
 * Communicates with the loader over `port` until the frame is gone. Neither message text nor the session's token ever
 * crosses it.
 */
export function attachPort(port: MessagePort, deps: LoaderPortDeps) {
  const { chat, facts, onFocus, afterPaint, language, css } = deps;
  const post = (message: ToLoader) => port.postMessage(message);

  let reported: readonly string[] = [];
  /** Names each setting that is not applied as given, once: in the console, because most pages don't listen to `error`. */
  const report = (settings: PanelSettings) => {
    const faults = faultsIn(settings, deps.isValid);
    const news = faults.filter(({ what }) => !reported.includes(what));
    for (const { what, reason } of news.slice(0, MAX_REPORTS)) {
      deps.warn(`Parley: ${what} ${reason}. See docs/api.md.`);
      post({ type: "event", event: { type: "error", code: "bad_setting", what } });
    }
    reported = faults.map(({ what }) => what);
  };
  const mark = (hasConversation: boolean) => post({ type: "mark", hasConversation });
  /** The page's settings before its last identity statement, until the site's token names the customer. */
  let former: PanelSettings | undefined;
  /**
   * Forgets the previous customer's personal settings: those that are unchanged since `said`, or all without it. The
   * loader then sends its settings again.
   */
  const forget = (said: PanelSettings | undefined) => {
    // Without a statement, as after a logout that is done, all that the page said is the former visitor's.
    const turn = Math.abs(Number(facts.settings.value.identity ?? 1)) || Number.POSITIVE_INFINITY;
    facts.settings.value = withoutPersonal(facts.settings.value, said);
    post({ type: "forget", before: turn + (said ? 0 : 1) });
  };
  chat.session.subscribe((change) => {
    if (change.kind === "failed") return;
    if (change.kind === "cleared") {
      mark(false);
      // After the page's own logout the loader has forgotten them already; this one came from another tab or the customer.
      if (change.why === "logout" && !isLogout(facts.settings.value)) forget(undefined);
      return;
    }
    if (change.kind === "started") mark(change.answer.conversation !== null);
    else if (change.isOther) forget(former);
    former = undefined;
  });

  port.onmessage = ({ data }: MessageEvent<unknown>) => {
    const message = parseToFrame(data);
    if (!message) return;
    if (message.type === "settings") {
      const before = facts.settings.value;
      const { identity, logout, identityUrl, traits, locale } = message.settings;
      const isStated = identity !== before.identity || logout !== before.logout;
      if (isStated) former = before;
      facts.settings.value = message.settings;
      facts.page.value = message.page;
      // First, so that whom the page named since finds nothing of the visitor who left.
      if (logout) chat.identity.identify(-Number(logout));
      chat.identity.identify(Number(identity ?? (identityUrl ? 1 : 0)));
      if (!message.settings.inline && !chat.resume(Boolean(message.settings.followed))) mark(false);
      report(message.settings);
      if (traits !== before.traits || locale !== before.locale) chat.session.sendPageFacts();
      // The loader shows the frame again once it contains nothing of another customer.
      if (isStated) afterPaint(() => post({ type: "ready", logout: Number(logout ?? -Number(identity)) }));
    } else if (message.type === "token") {
      chat.identity.site.answer(message.id, message.token);
    } else if (message.type === "opened") {
      if (message.focus) onFocus();
      // After the text box has the focus, so that a visitor can type at once; nothing of this is visible before.
      queueMicrotask(chat.open);
    } else if (message.type === "closed") {
      chat.close();
    } else {
      const { id } = message;
      void runCommand(chat, message.command).then((failure) => {
        post({ type: "result", id, error: failure && { code: failure.code, message: failure.message } });
      });
    }
  };
  chat.identity.site.connect((id) => post({ type: "token", id }));
  post({ type: "ready", css });
  chat.subscribe((happening) => {
    if (happening.type === "conversation.started") mark(true);
    if (happening.type === "conversation.erased") mark(false);
    const event = eventOf(happening);
    if (event) post({ type: "event", event });
  });
  effect(() => post({ type: "event", event: { type: "unread", count: chat.conversation.unread.value } }));
  effect(() =>
    post({
      type: "event",
      event: { type: "connection", status: PUBLIC_STATUS[chat.connection.state.value] },
    }),
  );
  effect(() => {
    const count = chat.conversation.unread.value;
    const { texts } = language.value;
    const own = facts.settings.value.label;
    const title =
      count > 0 ? (own ? `${own}, ${count}` : texts.openChatUnread(count)) : own || texts.openChat;
    post({ type: "event", event: { type: "label", title } });
  });
  return {
    close: () => post({ type: "close" }),
    /** Positions the frame on the page with other rules. */
    dress: (rules: string) => post({ type: "css", css: rules }),
  };
}

const isLogout = ({ identity, logout }: PanelSettings) => Boolean(logout) || Number(identity ?? 0) < 0;

function withoutPersonal(settings: PanelSettings, said: PanelSettings | undefined): PanelSettings {
  const names = PERSONAL_SETTINGS.filter((name) => !said || said[name] === settings[name]);
  const isStale = (name: string) => (names as readonly string[]).includes(name);
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !isStale(name)));
}

/** The connection's public names. `offline`: the panel works, but support can't be reached for any reason. */
const PUBLIC_STATUS = {
  idle: "idle",
  connecting: "connecting",
  live: "online",
  catching_up: "online",
  reconnecting: "offline",
  offline: "offline",
  unreachable: "offline",
} as const satisfies Record<Connection, string>;

/** A command's result for the site's page: nothing, or a code and a text for its developer. */
type Refusal = { readonly code: string; readonly message: string } | undefined;

async function examine(chat: Chat): Promise<Refusal> {
  try {
    const faults = await chat.client.readFaults();
    return faults.length > 0 ? { code: "doctor", message: faults.join("\n") } : undefined;
  } catch (error) {
    return failureFrom(error);
  }
}

type RunCommand = (chat: Chat, text: string) => Refusal | Promise<Refusal>;

/** The handler of each command. It resolves with nothing only after the effect has verifiably happened. */
const COMMANDS: Readonly<Record<FrameCommand["name"], RunCommand>> = {
  newMessage(chat, text) {
    // A page may suggest a text; only the customer sends it.
    chat.composer.suggest(text);
    return undefined;
  },
  requestHuman: (chat, text) =>
    chat.conversation.requestHuman(cleaned(text.slice(0, MAX_REASON)) || undefined),
  endConversation: (chat) => chat.conversation.end(),
  logout: (chat) => chat.identity.finishLogout(),
  doctor: examine,
};

/** Answers a command that this version does not have, such as one of a newer loader. */
const NOT_AVAILABLE = { code: "not_available", message: "This version of the chat has no such command." };

async function runCommand(chat: Chat, command: unknown): Promise<Refusal> {
  const { name = "", text = "" } = strings(command);
  if (!isCommandName(name)) return NOT_AVAILABLE;
  return COMMANDS[name](chat, text);
}

// Own properties only: every object has `toString` and the like.
const isCommandName = (name: string): name is FrameCommand["name"] => Object.hasOwn(COMMANDS, name);

/** The public form of an event for the page: ids, roles and times, never a text. Its type is ours with a colon. */
function eventOf(happening: PanelEvent): PublicEvent | undefined {
  const type = happening.type.replace(".", ":") as PublicEventType;
  switch (happening.type) {
    case "message.sent":
    case "message.received": {
      const { id, role, at } = happening.message;
      return { type, messageId: id, role, at };
    }
    case "conversation.started":
    case "conversation.ended":
      return { type, conversationId: happening.conversationId };
    case "handoff.requested":
    case "handoff.accepted":
    case "handoff.returned":
    case "handoff.failed":
      return { type, handoffId: happening.handoffId };
    case "identity.failed": {
      const code = happening.code.slice("identity_".length);
      return code === "required" ? { type: "identity:needed" } : { type, code };
    }
    case "message.not_confirmed":
      return { type: "error", code: happening.pending.code ?? "not_confirmed", what: "message" };
    case "failed":
      return { type: "error", code: happening.code, what: happening.what };
    default:
      // This stays between the customer and the agent.
      return undefined;
  }
}

/** A message of the loader. Its command is not parsed yet, because an unknown one must be answered too. */
type FromLoader =
  | Exclude<ToFrame, { type: "command" }>
  | { readonly type: "command"; readonly id: number; readonly command: unknown };

/** A message of the loader, each field checked, because its page may run anyone's script. */
function parseToFrame(data: unknown): FromLoader | undefined {
  if (!isPortMessage(data, ["settings", "opened", "closed", "token", "command"])) return undefined;
  const { type, settings, page, focus, id, token, command } = data as Record<string, unknown>;
  switch (type) {
    case "settings":
      return { type, settings: strings(settings), page: { url: "", ...strings(page) } };
    case "opened":
      return { type, focus: focus === true };
    case "closed":
      return { type };
  }
  if (typeof id !== "number") return undefined;
  return type === "token" ? { type, id, ...strings({ token }) } : { type: "command", id, command };
}

/** The text fields. Their names are the page's; the frame reads those that it knows. */
function strings(source: unknown): Record<string, string> {
  const entries = Object.entries(Object(source) as object);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}
