import fc from "fast-check";

/** An answer of the service, as the BFF reads it. */
export interface Spoilable {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/**
 * One way to make a valid answer wrong; `others` are valid answers to other calls, including ids of other customers.
 */
export type Spoil = (answer: Spoilable, others: readonly string[]) => Spoilable;

/** Text of the service that must not leave the BFF; it can't be mistaken for an id. */
export const UPSTREAM_WORDS = "canary, in the service's words";

type Place = readonly [holder: Record<string, unknown>, key: string];

/** Each member of a JSON value, at any depth. */
function placesOf(value: unknown): Place[] {
  if (typeof value !== "object" || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key): Place[] => [[holder, key], ...placesOf(holder[key])]);
}

const WRONG_VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e15,
  2 ** 53,
  "",
  "x",
  "..",
  "agent",
  "open",
  "rejected",
  "\u0000",
  "\ud800",
  "y".repeat(10_000),
  UPSTREAM_WORDS,
  [],
  {},
  [[[[[[[[[[[[{}]]]]]]]]]]]],
];
const DENIALS: readonly object[] = [
  { error: UPSTREAM_WORDS },
  { error: { message: UPSTREAM_WORDS } },
  { errors: [UPSTREAM_WORDS] },
  { ok: false },
  { success: false },
  { status: "error" },
];
const TYPES = [
  "",
  "text/html",
  "text/event-stream",
  "application/x-ndjson",
  "application/jsonp",
  "application/problem+json",
  "application/ld+json",
];
const STATUSES = [200, 201, 202, 203, 204, 206, 226, 299, 300, 304, 400, 404, 409, 410, 418, 422];

/** Changes a copy of the body at one place, chosen by a number; non-JSON stays unchanged. */
function atPlace(change: (place: Place, at: number, places: readonly Place[]) => void, at: number): Spoil {
  return (answer) => {
    if (answer.text === "") return answer;
    const body: unknown = JSON.parse(answer.text);
    const places = placesOf(body);
    const place = places[at % Math.max(1, places.length)];
    if (place) change(place, at, places);
    return { ...answer, text: JSON.stringify(body) };
  };
}

function remove([holder, key]: Place): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
}

function swap([holder, key]: Place, at: number, places: readonly Place[]): void {
  const [from, name] = places[(at * 7 + 1) % places.length] ?? [holder, key];
  const [mine, its] = [structuredClone(holder[key]), structuredClone(from[name])];
  holder[key] = its;
  from[name] = mine;
}

const withText =
  (change: (text: string, others: readonly string[]) => string): Spoil =>
  (answer, others) => ({ ...answer, text: change(answer.text, others) });
const pick = <T>(from: readonly T[]) => fc.constantFrom(...from);

/** One of everything that a service could do to an answer and still answer. */
export const anySpoil: fc.Arbitrary<readonly [name: string, spoil: Spoil]> = fc.oneof(
  fc.tuple(fc.nat(999), pick(WRONG_VALUES)).map(([at, value]) => {
    const spoil = atPlace(([holder, key]) => {
      holder[key] = structuredClone(value);
    }, at);
    return [`value ${at} ${JSON.stringify(value).slice(0, 40)}`, spoil] as const;
  }),
  fc.nat(999).map((at) => [`without ${at}`, atPlace(remove, at)] as const),
  fc.nat(999).map((at) => [`swapped ${at}`, atPlace(swap, at)] as const),
  fc.nat(999).map((at) => {
    const spoil = atPlace(([holder, key]) => {
      holder[key] = typeof holder[key] === "string" ? 7 : String(holder[key]);
    }, at);
    return [`other type ${at}`, spoil] as const;
  }),
  fc.nat(99).map((at) => {
    const spoil = withText((text, others) => others[at % Math.max(1, others.length)] ?? text);
    return [`answer of another call ${at}`, spoil] as const;
  }),
  pick(DENIALS).map((denial) => {
    const spoil = withText((text) => JSON.stringify({ ...JSON.parse(text || "{}"), ...denial }));
    return [`denied ${JSON.stringify(denial)}`, spoil] as const;
  }),
  pick(DENIALS).map(
    (denial) => [`only ${JSON.stringify(denial)}`, withText(() => JSON.stringify(denial))] as const,
  ),
  pick(['{"__proto__":{"status":"accepted"},', '{"constructor":{"prototype":{"id":"x"}},']).map(
    (head) => [head, withText((text) => text.replace("{", head))] as const,
  ),
  fc.nat(99).map((part) => {
    const spoil = withText((text) => text.slice(0, Math.floor((text.length * part) / 100)));
    return [`cut at ${part} %`, spoil] as const;
  }),
  pick(["x", "}", "[]", "\u0000", UPSTREAM_WORDS]).map(
    (tail) => [`followed by ${tail}`, withText((text) => text + tail)] as const,
  ),
  pick(TYPES).map((type) => [`type ${type}`, (answer: Spoilable) => ({ ...answer, type })] as const),
  pick(STATUSES).map((status) => [`${status}`, (answer: Spoilable) => ({ ...answer, status })] as const),
);
