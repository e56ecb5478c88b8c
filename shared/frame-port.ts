/**
 * What the loader (on the site's page) and the frame (on the BFF's origin) say to each other.
 * Types and guards by hand: the loader carries no schema library.
 *
 * 1. The loader posts `Connect` to the frame's window with the frame's exact origin and a MessagePort.
 * 2. The frame takes it only from its parent, from an allowed origin, trusted, and with the right version; answers `ready` on the port.
 * 3. From then on both use the port alone. A session token never crosses it.
 */
export const PORT_VERSION = 1;

/** Larger messages are dropped unread, in characters of their JSON. */
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
  /** What a customer may ask with one press: a list as JSON, or one question a line. */
  readonly suggestions?: string;
  /** "true": a message that comes while nobody looks may be heard. */
  readonly sound?: string;
  /** "false": nothing of a message that comes while the panel is closed is shown above the launcher. */
  readonly teaser?: string;
  /** The owner's name for the launcher, in the one language that it is in. */
  readonly label?: string;
  /** The owner's own words per language, as JSON: `{"de": {"greeting": "Moin!"}}`. */
  readonly texts?: string;
  /** Not empty: the panel stands in a box of the page, always in sight, with nothing to close. */
  readonly inline?: string;
  /**
   * A counter, as text; it grows with each call. Positive: the site called `identify`. Negative: it called `logout`. The
   * token is sent separately, once.
   */
  readonly identity?: string;
  /** Where the loader gets tokens on the site's own server. */
  readonly identityUrl?: string;
  /** What the page says of its visitor, as JSON. */
  readonly traits?: string;
}

export interface PageFacts {
  readonly url: string;
  readonly title?: string;
  readonly referrer?: string;
}

/** The methods of the JS API that the frame carries out. */
export interface FrameCommand {
  readonly name: "newMessage" | "requestHuman" | "doctor" | "endConversation" | "logout";
  /** The words that the page gave with the call, or empty. */
  readonly text: string;
}

export type ToFrame =
  | { readonly type: "settings"; readonly settings: PanelSettings; readonly page: PageFacts }
  /** `focus` is true when a person's gesture opened it: only then may focus move into the panel. */
  | { readonly type: "opened"; readonly focus: boolean }
  | { readonly type: "closed" }
  /** The site's answer to the question of this id; without a token it failed. */
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
  /** The port is taken; and after each change of `identity`: what it covers is covered. */
  | {
      readonly type: "ready";
      /** Rules for the loader's shadow root: how the frame stands on the page. Without them they stay. */
      readonly css?: string;
    }
  /** Asks for an identity token of the site. */
  | { readonly type: "token"; readonly id: number }
  /** The customer pressed Close or Escape. */
  | { readonly type: "close" }
  | {
      readonly type: "event";
      readonly event: PublicEvent;
    }
  /** What the launcher is called in the panel's language, with the count of what is unread. */
  | { readonly type: "event"; readonly event: { readonly type: "label"; readonly title: string } }
  | {
      readonly type: "result";
      readonly id: number;
      readonly error?: { readonly code: string; readonly message: string };
    };

/** Whether `data` is a message of one of `types`, small enough to be one of ours. Never throws: a page may post anything. */
export function isPortMessage(data: unknown, types: readonly string[]): data is { type: string } {
  try {
    return types.includes((data as { type: string }).type) && JSON.stringify(data).length <= MAX_PORT_MESSAGE;
  } catch {
    // Nothing at all, a cyclic object or a throwing getter: not one of ours.
    return false;
  }
}
