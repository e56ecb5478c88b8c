/** Largest JSON body that the BFF and the service read, in bytes. Traits have their own, smaller limits. */
export const MAX_BODY_BYTES = 32 * 1024;

/** Deepest JSON nesting accepted; a parser that allows thousands makes `JSON.stringify` overflow later. */
export const MAX_JSON_DEPTH = 16;

/** Most keys in one JSON body, all objects together. */
export const MAX_JSON_KEYS = 200;

/** Longest message a customer may write, in code points: 5,000 four-byte characters still fit in the body limit. */
export const MAX_MESSAGE_CODE_POINTS = 5000;

/**
 * Longest first message, in code points, for a service that stores it as the conversation's subject and nowhere else:
 * nothing guarantees that such a field takes long text, and nobody would notice if it were cut.
 */
export const MAX_SUBJECT_CODE_POINTS = 1000;

/** Longest answer an agent may give, in code points; the rest is cut and marked as cut. */
export const MAX_ANSWER_CODE_POINTS = 20_000;

/** Largest file that a customer may send, in bytes. */
export const MAX_ATTACHMENT_BYTES = 10 * 1024 * 1024;

/** Most files of one message. */
export const MAX_ATTACHMENTS = 5;

/** Fixed limits for traits. */
export const MAX_TRAITS = 50;
export const MAX_TRAIT_CHARACTERS = 256;

/** Interval of heartbeat comments on every event stream; a client takes 45 s of silence for a dead connection. */
export const HEARTBEAT_MS = 15_000;
export const DEAD_LINE_MS = 45_000;
