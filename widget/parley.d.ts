/**
 * Types of `window.Parley` for the developers of a site.
 * Copy this file into the project, or reference it: `/// <reference path="./parley.d.ts" />`.
 */

/**
 * The chat's look, texts and language. From the tag's `data-*`, `window.parleySettings`, `boot` and `update`; the last
 * wins.
 */
export interface ParleySettings {
  /** BCP 47, such as `de` or `pt-BR`. */
  locale?: string | undefined;
  /** Any CSS colour. The icon and text on it stay legible. */
  color?: string | undefined;
  colorScheme?: "auto" | "light" | "dark" | undefined;
  /** Without it: right, and left on a page written from right to left. */
  position?: "left" | "right" | undefined;
  zIndex?: number | string | undefined;
  /** A selector (one, not a list) of the page's own elements that open the chat, or `"none"`. */
  launcher?: string | undefined;
  /** A selector of an element of the page which the panel fills: no launcher, nothing to close. Give it a height. */
  container?: string | undefined;
  title?: string | undefined;
  greeting?: string | undefined;
  /** Up to four questions of 120 characters that a visitor may ask with one press; in a text, one a line. */
  suggestions?: string | readonly string[] | undefined;
  /** A short sound for a message that arrives while nobody looks; the customer's own switch wins over it. */
  sound?: boolean | "true" | "false" | undefined;
  /** `false`: messages that arrive while the chat is closed are only counted, not shown above the launcher. */
  teaser?: boolean | "true" | "false" | undefined;
  /** Own words per language, as JSON: `{"de": {"greeting": "Moin!"}}`. For the keys see docs/languages.md. */
  texts?: string | Readonly<Record<string, Readonly<Record<string, string>>>> | undefined;
  /** The address at which the site's server returns the identity token of the signed-in customer (docs/identity.md). */
  identityUrl?: string | undefined;
  /** The launcher's name; without it English until the first intent, then in the panel's language. */
  label?: string | undefined;
  /** `mailto:`, `tel:` or `https://`: offered while the chat can't be reached. */
  fallback?: string | undefined;
}

/**
 * `code` of a rejected call, or of the event `error`. bad_call: a wrong argument. not_available: no such method, not in this version, or after
 * `destroy()`. unreachable: the chat did not load, or disappeared before it answered: the outcome is unknown.
 * bad_setting, only in the event: a setting or trait was left out. no_conversation: none is open. Other codes are the
 * chat's own, such as not_confirmed: support did not confirm it.
 */
export type ParleyErrorCode =
  | "bad_call"
  | "bad_setting"
  | "no_conversation"
  | "not_available"
  | "unreachable"
  | (string & {});

export interface ParleyError extends Error {
  readonly code: ParleyErrorCode;
}

/** The fields of every event. */
export interface ParleyEventBase<Type extends string> {
  readonly type: Type;
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly at: string;
}

/** A token works once. With only `token` the chat can't renew the session, and emits `identity:failed` (`replayed`). */
export type ParleyIdentity = { getToken: () => Promise<string | null> } | { token: string };

/** The page's data about its visitor. */
export type ParleyTraits = Readonly<Record<string, string | number | boolean | null>>;

/** Why the customer is not identified (docs/identity.md). unavailable: the site returned no token. */
export type ParleyIdentityFault =
  | "unavailable"
  | "expired"
  | "bad_signature"
  | "wrong_audience"
  | "unknown_kid"
  | "missing_claim"
  | "replayed"
  | "clock_skew";

/** The fields of an event beside `type`, `id` and `at`. No event contains the text of a message. */
export interface ParleyEventDetails {
  ready: object;
  open: object;
  close: object;
  unread: { readonly count: number };
  "message:sent": { readonly messageId: string; readonly role: "customer" };
  "message:received": { readonly messageId: string; readonly role: "agent" | "human" | "system" };
  "conversation:started": { readonly conversationId: string };
  "conversation:ended": { readonly conversationId: string };
  "handoff:requested": { readonly handoffId: string };
  "handoff:accepted": { readonly handoffId: string };
  "handoff:returned": { readonly handoffId: string };
  "handoff:failed": { readonly handoffId: string };
  "identity:needed": object;
  "identity:failed": { readonly code: ParleyIdentityFault };
  connection: { readonly status: ParleyConnection };
  /** A failed call of the page, even if its promise is ignored; or, with `what`, a failure in the panel. */
  error: { readonly code: ParleyErrorCode; readonly message?: string; readonly what?: string };
}

/**
 * idle: nothing is tried, as before the first open or without an identity token. offline: the panel works, but support
 * can't be reached. unreachable: the panel did not load.
 */
export type ParleyConnection = "idle" | "connecting" | "online" | "offline" | "unreachable";

export type ParleyEventType = keyof ParleyEventDetails;
export type ParleyEvent<Type extends ParleyEventType = ParleyEventType> = ParleyEventBase<Type> &
  ParleyEventDetails[Type];
export type ParleyHandler<Type extends ParleyEventType> = (event: ParleyEvent<Type>) => void;

/** Each promise rejects with a `ParleyError`; an unhandled one logs nothing; it only emits `error`. */
export interface ParleyMethods {
  /** As `update`; the name that other chats use. */
  boot(settings?: ParleySettings): Promise<void>;
  update(settings?: ParleySettings): Promise<void>;
  setLocale(locale: string): Promise<void>;
  /** Resolves when the panel is on the screen. */
  open(): Promise<void>;
  close(): Promise<void>;
  toggle(): Promise<void>;
  /** Shows the launcher again after `hide`. */
  show(): Promise<void>;
  /** Hides launcher and panel; the conversation continues. */
  hide(): Promise<void>;
  /** Opens the panel with `text` (at most 1,200 characters) in the text box. Only the customer sends it. */
  newMessage(text: string): Promise<void>;
  /** Opens the panel and asks for a person; resolves when the service verified that one was asked. */
  requestHuman(reason?: string): Promise<void>;
  /** Resolves when the service verified that the conversation ended. */
  endConversation(): Promise<void>;
  /** Ends this browser's chat session on the server. Call it when the customer signs out, not on every page: it loads the panel. */
  logout(): Promise<void>;
  /**
   * Identifies the visitor by a token that the site's server signs (docs/identity.md). `getToken` is called when the chat
   * needs a token, and returns `null` if nobody is signed in. Resolves when the call was accepted, not when the token was
   * verified: see the events `identity:needed` and `identity:failed`.
   */
  identify(identity: ParleyIdentity): Promise<void>;
  /** Sets the page's data about the visitor; the desk shows it as unverified. */
  setTraits(traits: ParleyTraits): Promise<void>;
  /**
   * Checks that the frame can load and that the BFF is ready (`/readyz`): its store works and the service answers.
   * Rejects with the code `doctor` and a sentence per line for each reason; `unreachable` when the frame can't load.
   */
  doctor(): Promise<void>;
  /** Removes all of it: launcher, panel, listeners, `window.Parley`. Conversations stay on the server. */
  destroy(): Promise<void>;
  /** Returns an unsubscriber. A late handler of `ready` is called too. */
  on<Type extends ParleyEventType>(type: Type, handler: ParleyHandler<Type>): () => void;
  once<Type extends ParleyEventType>(type: Type, handler: ParleyHandler<Type>): () => void;
  /** Without a handler: all handlers of that type. */
  off<Type extends ParleyEventType>(type: Type, handler?: ParleyHandler<Type>): void;
}

/** `Parley("open")` and `Parley.open()` are the same. Before the script is there, use the first form with the stub of the README. */
export interface Parley extends ParleyMethods {
  <Type extends ParleyEventType>(name: "on" | "once", type: Type, handler: ParleyHandler<Type>): () => void;
  <Type extends ParleyEventType>(name: "off", type: Type, handler?: ParleyHandler<Type>): void;
  <Name extends Exclude<keyof ParleyMethods, "on" | "once" | "off">>(
    name: Name,
    ...args: Parameters<ParleyMethods[Name]>
  ): ReturnType<ParleyMethods[Name]>;
  readonly isOpen: boolean;
  readonly unreadCount: number;
  readonly connection: ParleyConnection;
  readonly version: string;
  /** Resolves when calls are carried out at once. */
  readonly ready: Promise<void>;
  /** Calls made before the script was there. Only the stub of the README has it. */
  q?: IArguments[];
}

declare global {
  interface Window {
    get Parley(): Parley;
    /** A stub only queues calls, so it returns nothing. */
    set Parley(stub: Parley | (() => void));
    parleySettings?: ParleySettings | undefined;
  }
  var Parley: Parley;
}
