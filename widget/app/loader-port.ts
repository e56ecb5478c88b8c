import { effect, signal } from "@preact/signals";
import {
  type FrameCommand,
  isPortMessage,
  type PageFacts,
  type PanelSettings,
  PORT_VERSION,
  type ToFrame,
  type ToLoader,
} from "../../shared/frame-port.ts";
import type { Chat } from "./chat.ts";
import type { ChatFailure } from "./chat-failure.ts";
import type { Happening } from "./happenings.ts";

/** The parts of a window message that the handshake looks at. */
export type Greeting = Pick<MessageEvent, "data" | "isTrusted" | "origin" | "ports" | "source">;

/**
 * The port, if this is our loader: a trusted message, from the window that embeds us, of an origin on the list, in our
 * version (R11). Everything else is undefined, whatever it looks like.
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

/** What the site's page told the frame. */
export function createPageFacts() {
  return { settings: signal<PanelSettings>({}), page: signal<PageFacts | undefined>(undefined) };
}

export interface LoaderPortDeps {
  readonly chat: Chat;
  readonly facts: ReturnType<typeof createPageFacts>;
  /** A person's gesture opened the panel: focus may move into it. */
  readonly onFocus: () => void;
}

/** Speaks with the loader over `port` until the frame is gone. Message text never crosses it, nor does the session's token. */
export function attachPort(port: MessagePort, { chat, facts, onFocus }: LoaderPortDeps) {
  const post = (message: ToLoader) => port.postMessage(message);
  const answer = (id: number, failure?: ChatFailure) =>
    post({
      type: "result",
      id,
      ...(failure ? { error: { code: failure.code, message: failure.message } } : {}),
    });

  port.onmessage = ({ data }: MessageEvent<unknown>) => {
    const message = parseToFrame(data);
    if (!message) return;
    if (message.type === "settings") {
      facts.settings.value = message.settings;
      facts.page.value = message.page;
    } else if (message.type === "opened") {
      chat.open();
      if (message.focus) onFocus();
    } else if (message.type === "closed") {
      chat.close();
    } else {
      void runCommand(chat, message.command).then((failure) => answer(message.id, failure));
    }
  };
  post({ type: "ready" });
  chat.subscribe((happening) => {
    const event = eventOf(happening);
    if (event) post({ type: "event", event });
  });
  effect(() => post({ type: "event", event: { type: "unread", count: chat.unread.value } }));
  effect(() => post({ type: "event", event: { type: "connection", status: connectionOf(chat) } }));
  return { close: () => post({ type: "close" }) };
}

/** One word for how the panel stands with support. */
export function connectionOf(
  chat: Pick<Chat, "session" | "line">,
): "idle" | "connecting" | "online" | "offline" {
  const { kind } = chat.session.value;
  if (kind === "none") return "idle";
  if (kind === "failed" || chat.line.value === "waiting") return "offline";
  return kind === "starting" || chat.line.value === "connecting" ? "connecting" : "online";
}

async function runCommand(chat: Chat, command: FrameCommand): Promise<ChatFailure | undefined> {
  switch (command.name) {
    case "newMessage":
      // A page may suggest words; only the customer sends them.
      chat.draft.value = command.text;
      return undefined;
    case "requestHuman":
      return chat.requestHuman(command.reason);
    case "endConversation":
      return chat.endConversation();
    case "logout":
      return chat.logout();
  }
}

/** What the page may know of a happening: ids, roles and times; never what was written. */
function eventOf(happening: Happening): (ToLoader & { type: "event" })["event"] | undefined {
  switch (happening.type) {
    case "message.sent":
    case "message.received": {
      const { id, role, at } = happening.message;
      return {
        type: happening.type === "message.sent" ? "message:sent" : "message:received",
        messageId: id,
        role,
        at,
      };
    }
    case "conversation.started":
    case "conversation.ended": {
      const { conversationId } = happening;
      return {
        type: happening.type === "conversation.started" ? "conversation:started" : "conversation:ended",
        conversationId,
      };
    }
    case "handoff.requested":
    case "handoff.accepted":
    case "handoff.returned":
    case "handoff.failed":
      return { type: HANDOFF_EVENTS[happening.type], handoffId: happening.handoffId };
    case "message.not_confirmed":
      return { type: "error", code: happening.pending.code ?? "not_confirmed", what: "message" };
    case "failed":
      return { type: "error", code: happening.code, what: happening.what };
    default:
      // Between the customer and the agent alone.
      return undefined;
  }
}

const HANDOFF_EVENTS = {
  "handoff.requested": "handoff:requested",
  "handoff.accepted": "handoff:accepted",
  "handoff.returned": "handoff:returned",
  "handoff.failed": "handoff:failed",
} as const;

/** A message of the loader's, each field checked: the page it comes from may run anyone's script. */
function parseToFrame(data: unknown): ToFrame | undefined {
  if (!isPortMessage(data, ["settings", "opened", "closed", "command"])) return undefined;
  const { type, settings, page, focus, id, command } = data as Record<string, unknown>;
  switch (type) {
    case "settings": {
      const facts = strings(page, ["url", "title", "referrer"]);
      return {
        type,
        settings: strings(settings, ["locale", "color", "colorScheme", "title", "greeting"]) as PanelSettings,
        page: { ...facts, url: facts["url"] ?? "" },
      };
    }
    case "opened":
      return { type, focus: focus === true };
    case "closed":
      return { type };
    default: {
      const parsed = parseCommand(command);
      return typeof id === "number" && parsed ? { type: "command", id, command: parsed } : undefined;
    }
  }
}

function parseCommand(command: unknown): FrameCommand | undefined {
  const { name, text, reason } = strings(command, ["name", "text", "reason"]);
  if (name === "newMessage") return { name, text: text ?? "" };
  if (name === "requestHuman") return { name, ...(reason ? { reason } : {}) };
  return name === "endConversation" || name === "logout" ? { name } : undefined;
}

function strings(source: unknown, keys: readonly string[]): Record<string, string> {
  if (typeof source !== "object" || source === null) return {};
  const entries = keys.map((key) => [key, (source as Record<string, unknown>)[key]] as const);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}
