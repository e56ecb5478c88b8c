/** The statuses that mean "done"; a BFF accepts no others (202 means "not yet"). */
const DONE = [200, 201, 204];
const JSON_TYPE = /^application\/(?:[a-z0-9.+-]+\+)?json *(?:;|$)/i;

/**
 * Returns the JSON of an answer that a BFF would accept by its form; undefined if it has no body.
 *
 * @throws Error with the reason in one sentence
 */
export async function bodyOf(name: string, response: Response): Promise<unknown> {
  if (!DONE.includes(response.status)) throw new Error(`${name} answered ${response.status}.`);
  const text = await response.text();
  if (text === "") return undefined;
  const type = response.headers.get("content-type") ?? "";
  if (!JSON_TYPE.test(type) || type.startsWith("application/problem+json")) {
    throw new Error(`${name} answered ${response.status} as ${type || "nothing"}, which confirms nothing.`);
  }
  const body: unknown = JSON.parse(text);
  const denial = denialIn(body);
  if (denial) throw new Error(`${name} answered ${response.status} with ${denial}: that confirms nothing.`);
  return body;
}

/** Parts of a body that say that the request failed. */
function denialIn(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  const { error, errors, ok, success } = body as Record<string, unknown>;
  if (error) return '"error"';
  if (Array.isArray(errors) ? errors.length > 0 : errors) return '"errors"';
  if (ok === false) return '"ok": false';
  return success === false ? '"success": false' : undefined;
}
