import type { Endpoint } from "./endpoint.ts";
import { type Healthy, withOtherId, withoutId } from "./mangle.ts";
import {
  answer,
  declare,
  delay,
  drip,
  flood,
  HTML,
  leaveChunksOpen,
  reset,
  UPSTREAM_TEXT,
  type Wire,
} from "./wire.ts";

/**
 * How a client must treat the answer. `fails`: nothing may be claimed. `holds`: it is a verified answer and must be
 * accepted. `free`: the contract allows both. `none`: this fault can't affect the endpoint.
 */
export type Verdict = "fails" | "holds" | "free" | "none";

export interface Fault {
  /** One line: what is visible on the wire. */
  readonly wire: string;
  /** Whether the request took effect: an answer that is lost afterwards is the harder case. */
  readonly done: boolean;
  readonly verdict: (endpoint: Endpoint) => Verdict;
  /** Writes the answer. Absent if the fault is in the address and not in an answer. */
  readonly play?: (wire: Wire) => void | Promise<void>;
}

const always = (): Verdict => "fails";
const JSON_TYPE = "application/json";

/**
 * Identify specifies no field, so `{}` is valid, but it must be a JSON object; an end needs no body (contract,
 * endpoints 1 and 7).
 */
const exceptFor =
  (exceptions: Partial<Record<Endpoint, Verdict>>) =>
  (endpoint: Endpoint): Verdict =>
    exceptions[endpoint] ?? "fails";

/** Writes an answer that is made of the right one. */
const spoiled = (write: (wire: Wire, healthy: Healthy) => void) => async (wire: Wire) =>
  write(wire, await wire.healthy());

const ok = (text: string, type: string | undefined) => (wire: Wire) => answer(wire, 200, type, text);

function status(code: number, headers: Record<string, string> = {}): Fault {
  const retry = headers["retry-after"] ? `, Retry-After ${headers["retry-after"]}` : "";
  return {
    wire: `${code} with a body in the service's own words${retry}`,
    done: false,
    // A service that lacks the endpoint, or has no such conversation, says so with a 404, which can be an answer there.
    verdict: exceptFor(
      code === 404 ? { capabilities: "holds", supportSelection: "free", messages: "free" } : {},
    ),
    play: (wire) => answer(wire, code, JSON_TYPE, JSON.stringify({ error: UPSTREAM_TEXT }), headers),
  };
}

function redirect(code: number): Fault {
  return {
    wire: `${code} to another address, with the right answer as its body`,
    done: false,
    verdict: always,
    play: spoiled((wire, { type, text }) => answer(wire, code, type, text, { location: wire.canaryUrl })),
  };
}

/** Every 2xx answer that proves nothing. */
const LIES = {
  "empty-200": {
    wire: "200 and not a byte of body",
    done: true,
    verdict: exceptFor({ endConversation: "holds" }),
    play: ok("", undefined),
  },
  "object-200": {
    wire: "200 {}",
    done: true,
    verdict: exceptFor({ identify: "holds" }),
    play: ok("{}", JSON_TYPE),
  },
  "array-200": { wire: "200 []", done: true, verdict: always, play: ok("[]", JSON_TYPE) },
  "null-200": { wire: "200 null", done: true, verdict: always, play: ok("null", JSON_TYPE) },
  "html-200": {
    wire: "200 with a page as text/html",
    done: true,
    verdict: always,
    play: ok(HTML, "text/html"),
  },
  "html-as-json": {
    wire: "200 with a page as application/json",
    done: true,
    verdict: always,
    play: ok(HTML, JSON_TYPE),
  },
  "truncated-json": {
    wire: "the right answer cut off, with a true Content-Length",
    done: true,
    verdict: always,
    play: spoiled((wire, { status, type, text }) => answer(wire, status, type, text.slice(0, -2))),
  },
  "other-id": {
    wire: "the right shape, with the id of something else",
    done: true,
    verdict: (endpoint) => (withOtherId(endpoint) === undefined ? "none" : "fails"),
    play: spoiled((wire, { status: code }) =>
      answer(wire, code, JSON_TYPE, JSON.stringify(withOtherId(wire.endpoint) ?? {})),
    ),
  },
  "no-id-201": {
    wire: "201 with the right shape but for the id",
    done: true,
    verdict: exceptFor({ identify: "holds" }),
    play: spoiled((wire, { body }) =>
      answer(wire, 201, JSON_TYPE, JSON.stringify(withoutId(wire.endpoint, body) ?? {})),
    ),
  },
  "accepted-202": {
    wire: "202 with the right body: taken, and not done",
    done: false,
    verdict: always,
    play: spoiled((wire, { type, text }) => answer(wire, 202, type, text)),
  },
  "no-content-204": {
    wire: "204",
    done: true,
    verdict: exceptFor({ endConversation: "holds" }),
    play: (wire) => answer(wire, 204, undefined, ""),
  },
  "wrong-content-type": {
    wire: "the right answer as text/plain",
    done: true,
    verdict: always,
    play: spoiled((wire, { status: code, text }) => answer(wire, code, "text/plain", text)),
  },
} satisfies Record<string, Fault>;

const REFUSALS = {
  "redirect-302": redirect(302),
  "redirect-307": redirect(307),
  "status-400": status(400),
  "status-401": status(401),
  "status-403": status(403),
  "status-404": status(404),
  "status-409": status(409),
  "status-410": status(410),
  "status-413": status(413),
  "status-415": status(415),
  "status-422": status(422),
  "status-429": status(429, { "retry-after": "7" }),
  "status-500": status(500),
  "status-501": status(501),
  "status-502": status(502),
  "status-503": status(503, { "retry-after": "7" }),
  "status-504": status(504),
  "status-507": status(507),
} satisfies Record<string, Fault>;

const half = (text: string) => text.slice(0, Math.ceil(text.length / 2));
const all = (text: string) => text;

const BROKEN_LINES = {
  "content-length-short": {
    wire: "a Content-Length five bytes short of the body",
    done: true,
    verdict: always,
    play: (wire) => declare(wire, (bytes) => bytes - 5, all, "close"),
  },
  "content-length-long": {
    wire: "a Content-Length five bytes over the body, then the end of the connection",
    done: true,
    verdict: always,
    play: (wire) => declare(wire, (bytes) => bytes + 5, all, "close"),
  },
  "chunks-unfinished": {
    wire: "the whole body in chunks, then the end of the connection in place of the last chunk",
    done: true,
    verdict: always,
    play: leaveChunksOpen,
  },
  "reset-before-headers": {
    wire: "a reset in place of an answer",
    done: true,
    verdict: always,
    play: ({ socket }) => reset(socket),
  },
  "reset-before-body": {
    wire: "headers, then a reset",
    done: true,
    verdict: always,
    play: (wire) =>
      declare(
        wire,
        (bytes) => bytes,
        () => "",
        "reset",
      ),
  },
  "reset-in-body": {
    wire: "headers and half of the body, then a reset",
    done: true,
    verdict: always,
    play: (wire) => declare(wire, (bytes) => bytes, half, "reset"),
  },
  "reset-after-body": {
    wire: "headers that promise more and the whole body, then a reset",
    done: true,
    verdict: always,
    play: (wire) => declare(wire, (bytes) => bytes + 5, all, "reset"),
  },
  "keep-alive-close": {
    wire: "the connection is closed without a word just when the request has been sent on it",
    done: false,
    verdict: always,
    play: ({ socket }) => void socket.end(),
  },
  "never-ending-body": {
    wire: "the whole answer, then white space that drips for ever",
    done: true,
    verdict: always,
    play: drip,
  },
  "huge-50mb": {
    wire: "a right answer padded to 50 MB",
    done: true,
    verdict: always,
    play: flood,
  },
  hang: { wire: "no answer, ever", done: true, verdict: always, play: () => undefined },
  slow: { wire: "the right answer, late but in time", done: true, verdict: () => "holds", play: delay },
} satisfies Record<string, Fault>;

/** Faults of the address: no request gets through, so nothing can answer. */
const ADDRESS = {
  "connect-refused": { wire: "nobody listens", done: false, verdict: always },
  "tls-error": { wire: "a certificate that nobody vouches for", done: false, verdict: always },
} satisfies Record<string, Fault>;

/** The closed table of everything that an upstream can do to its client. */
export const FAULTS: Record<FaultName, Fault> = { ...LIES, ...REFUSALS, ...BROKEN_LINES, ...ADDRESS };

export type FaultName =
  | keyof typeof LIES
  | keyof typeof REFUSALS
  | keyof typeof BROKEN_LINES
  | keyof typeof ADDRESS;

export const FAULT_NAMES = Object.keys(FAULTS) as FaultName[];

/**
 * The panel sees only the BFF's answer to a fault, which is one of seven or eight for each call. These faults cause all
 * of them, for each call in `bff-table.slow.test.ts`, which checks it.
 */
export const OF_EACH_ANSWER: readonly FaultName[] = [
  "object-200",
  "accepted-202",
  "status-400",
  "status-401",
  "status-404",
  "status-429",
  "status-500",
  "status-503",
  "status-507",
  "reset-before-headers",
  "reset-after-body",
  "hang",
  "connect-refused",
];

/** Whether the fault is in the address, and so affects every endpoint at once. */
export function isAddressFault(name: FaultName): name is keyof typeof ADDRESS {
  return Object.hasOwn(ADDRESS, name);
}
