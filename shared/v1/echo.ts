/** A resource in such a state was not created, whatever else the answer says. */
const NOT_DONE: ReadonlySet<unknown> = new Set(
  "failed rejected refused declined denied cancelled canceled unavailable error".split(" "),
);

/** The states that contradict "it has ended". */
const STILL_OPEN: ReadonlySet<unknown> = new Set(["open", "active", "started"]);

/** For operations whose answer echoes nothing of the request: the schema is the whole check. */
export const nothingToEcho = (): boolean => true;

/** A member of an answer by its path; `undefined` where a part of the path is missing. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  let current = value;
  for (const key of path) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, key)) return undefined;
    current = (current as Record<string, unknown>)[key];
  }
  return current;
}

/** Whether `named` is absent or equals what was sent. */
export function isAbsentOr(sent: unknown, named: unknown): boolean {
  return named === undefined || named === sent;
}

export function isFailedStatus(status: unknown): boolean {
  return NOT_DONE.has(status);
}

export function isOpenStatus(status: unknown): boolean {
  return STILL_OPEN.has(status);
}

/** Whether a text came back complete. A service may join its lines or change its Unicode form, and may omit it. */
export function isSameText(sent: string | undefined, named: unknown): boolean {
  if (typeof named !== "string" || sent === undefined || named === sent) return true;
  const words = (text: string) => text.normalize("NFC").replace(/\s+/g, " ").trim();
  return words(named) === words(sent);
}

/** Whether a log entry, and what it refers to, belongs to this conversation. */
export function isWithin(entry: unknown, conversationId: string): boolean {
  return [entry, at(entry, "message"), at(entry, "handoff"), at(entry, "rating")].every((named) =>
    isAbsentOr(conversationId, at(named, "conversationId")),
  );
}

/** Whether a body itself says that the request failed, as some services do with any status. */
export function deniesItself(body: unknown): boolean {
  if (typeof body !== "object" || body === null) return false;
  const errors = at(body, "errors");
  return (
    Boolean(at(body, "error")) ||
    (Array.isArray(errors) ? errors.length > 0 : Boolean(errors)) ||
    at(body, "ok") === false ||
    at(body, "success") === false ||
    isFailedStatus(at(body, "status"))
  );
}
