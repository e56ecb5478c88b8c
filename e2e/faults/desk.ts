import { CSRF_HEADER } from "../../shared/desk.ts";
import { DESK_API } from "../../shared/desk-operations.ts";

const FORM = { email: "maya@harbour.example", name: "Maya", password: "a quiet harbour at dawn" };
const AGAIN_MS = 50;
const GIVE_UP_MS = 60_000;

/** A team member, through the desk's own calls; each is repeated with the same key until it is confirmed. */
export interface Desk {
  readonly take: (conversationId: string) => Promise<void>;
  readonly reply: (conversationId: string, key: string, body: string) => Promise<void>;
}

/**
 * Makes the first account of the desk.
 * @param url where the service is
 * @param printed the service's output at its start, with the one-time link
 */
export async function openDesk(url: string, printed: string): Promise<Desk> {
  const token = /#setup=([\w-]+)/.exec(printed)?.[1];
  const headers = { origin: url, "content-type": "application/json" };
  const made = await fetch(`${url}${DESK_API}/setup`, {
    method: "POST",
    headers,
    body: JSON.stringify({ ...FORM, token }),
  });
  const cookie = made.headers.getSetCookie()[0]?.split(";")[0];
  const { csrf } = (await made.json()) as { csrf: string };
  if (!made.ok || !cookie) throw new Error(`the desk was not set up: ${made.status}`);
  const as = { ...headers, cookie, [CSRF_HEADER]: csrf };

  const confirmed = async (path: string, body: unknown) => {
    const deadline = performance.now() + GIVE_UP_MS;
    let last = "no answer";
    while (performance.now() < deadline) {
      const isDone = await fetch(`${url}${DESK_API}/conversations/${path}`, {
        method: "POST",
        headers: as,
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(10_000),
      }).then(
        async (answer) => {
          last = `${answer.status} ${await answer.text()}`;
          return answer.ok;
        },
        () => false,
      );
      if (isDone) return;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
    throw new Error(`the desk could not ${path}: ${last}`);
  };
  return {
    take: (id) => confirmed(`${id}/take`, {}),
    reply: (id, clientMessageId, body) => confirmed(`${id}/messages`, { clientMessageId, body }),
  };
}
