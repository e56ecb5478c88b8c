/**
 * What the loader (on the site's page) and the frame (on the BFF's origin) say to each other.
 * Types and guards are written by hand: the loader includes no schema library.
 *
 * 1. The loader posts `Connect` to the frame's window with the frame's exact origin and a MessagePort.
 * 2. The frame accepts it only from its parent, from an allowed origin, trusted, and with the right version; answers `ready` on the port.
 * 3. From then on both use only the port. A session token never crosses it.
 */
export const PORT_VERSION = 1;

/** Larger messages are dropped unparsed, in characters of their JSON. */
export const MAX_PORT_MESSAGE = 16_384;

export interface Connect {
  readonly parley: typeof PORT_VERSION;
  readonly type: "connect";
}

/** How the site owner set the panel up: from the tag's `data-*`, `window.parleySettings` and `Parley('boot', …)`. */
export interface PanelSettings {
  readonly locale?: string;
  readonly color?: string;
  readonly colorScheme?: "auto" | "light" | "dark";
  readonly title?: string;
  readonly greeting?: string;
  /** Questions that a customer can ask with one press: a JSON list, or one question per line. */
  readonly suggestions?: string;
  /** "true": a message that arrives while nobody is looking may play a sound. */
  readonly sound?: string;
  /** "false": a message that arrives while the panel is closed shows no preview above the launcher. */
  readonly teaser?: string;
  /** The owner's name for the launcher, in its only language. */
  readonly label?: string;
  /** The owner's own texts per language, as JSON: `{"de": {"greeting": "Moin!"}}`. */
  readonly texts?: string;
  /** Not empty: the panel is embedded in an element of the page, always visible, and can't be closed. */
  readonly inline?: string;
  /**
   * The number of the site's latest `identify`, counted with its logouts; empty after a logout. An earlier version's
   * loader sends a negative number for a logout. The token is sent separately, once.
   */
  readonly identity?: string;
  /** The number of the site's latest `logout` until a frame has done it. A later `identity` follows it. */
  readonly logout?: string;
  /** The address of tokens on the site's own server. */
  readonly identityUrl?: string;
  /** The page's traits of its visitor, as JSON. */
  readonly traits?: string;
  /** The names of settings that were too long or can't be read, with commas between them: left out, and reported. */
  readonly refused?: string;
  /**
   * Not empty: the loader's mark says that this visitor has a conversation, which the frame must follow without any
   * interaction.
   */
  readonly followed?: string;
}

/** Settings that may name or describe one customer. They never pass to the next. */
export const PERSONAL_SETTINGS = [
  "traits",
  "locale",
  "greeting",
  "title",
  "label",
  "texts",
  "suggestions",
] as const satisfies readonly (keyof PanelSettings)[];

export interface PageFacts {
  readonly url: string;
  readonly title?: string;
  readonly referrer?: string;
}

/** The methods of the JS API that the frame implements. */
export interface FrameCommand {
  readonly name: "newMessage" | "requestHuman" | "doctor" | "endConversation" | "logout";
  /** The text that the page passed with the call, or empty. */
  readonly text: string;
}

export type ToFrame =
  | { readonly type: "settings"; readonly settings: PanelSettings; readonly page: PageFacts }
  /** `focus` is true when a person's gesture opened it: only then may focus move into the panel. */
  | { readonly type: "opened"; readonly focus: boolean }
  | { readonly type: "closed" }
  /** The site's answer to the request with this id; without a token it failed. */
  | { readonly type: "token"; readonly id: number; readonly token?: string }
  | { readonly type: "command"; readonly id: number; readonly command: FrameCommand };

export type PublicEventType =
  | "unread"
  | "message:sent"
  | "message:received"
  | "conversation:started"
  | "conversation:ended"
  | "handoff:requested"
  | "handoff:accepted"
  | "handoff:returned"
  | "handoff:failed"
  | "identity:needed"
  | "identity:failed"
  | "connection"
  | "error";

export interface PublicEvent {
  readonly type: PublicEventType;
  readonly [key: string]: unknown;
}

export type ToLoader =
  /** The port is connected. Sent again after each change of `identity`, once everything that it covers is applied. */
  | {
      readonly type: "ready";
      /** As in `css`. Absent: unchanged. */
      readonly css?: string;
      /** The number of the logout that this frame has done, which the next frame is not asked for. Any other value: none. */
      readonly logout?: number;
    }
  /** CSS rules for the loader's shadow root that position the frame on the page. They replace the former. */
  | { readonly type: "css"; readonly css: string }
  /** Asks for an identity token of the site. */
  | { readonly type: "token"; readonly id: number }
  /** Another customer is there: the personal settings that were set before the identity statement `before` are not theirs. */
  | { readonly type: "forget"; readonly before: number }
  /** Whether this visitor has a conversation, for the loader's mark: as a session of the service just said. */
  | { readonly type: "mark"; readonly hasConversation: boolean }
  /** The customer pressed Close or Escape. */
  | { readonly type: "close" }
  | {
      readonly type: "event";
      readonly event: PublicEvent;
    }
  /** The launcher's label in the panel's language, including the number of unread messages. */
  | { readonly type: "event"; readonly event: { readonly type: "label"; readonly title: string } }
  | {
      readonly type: "result";
      readonly id: number;
      readonly error?: { readonly code: string; readonly message: string } | undefined;
    };

/**
 * Whether `data` is a message of one of `types`, and small enough to be ours. Never throws: a page may post anything.
 */
export function isPortMessage(data: unknown, types: readonly string[]): data is { type: string } {
  try {
    return types.includes((data as { type: string }).type) && JSON.stringify(data).length <= MAX_PORT_MESSAGE;
  } catch {
    // `undefined`, a cyclic object or a throwing getter is not one of our messages.
    return false;
  }
}
