import { settle } from "./manual-time.ts";
import { createMapStorage } from "./start-chat.ts";
import { fail } from "./start-network.ts";
import { createIdentityBff, startVisit } from "./start-visit.ts";

/** The key of the stored texts in a tab's storage. */
export const KEPT = "parley.kept";

export type Visit = ReturnType<typeof startVisit>;

/** One tab, page after page, in which support is down until `mend`. `before` says who is there. */
export function startVain(answer: () => Promise<Response> | Response = fail) {
  let ids = 0;
  const visit = {
    bff: createIdentityBff(),
    storage: createMapStorage(),
    tabStorage: createMapStorage(),
    // Like real ones: new on each page.
    randomId: () => `vain-${++ids}`,
  };
  const reach = visit.bff.fetch;
  const network = { isThere: false };
  visit.bff.fetch = async (path, init) => (network.isThere ? reach(path, init) : answer());
  const open = async (before: (page: Visit) => void = () => undefined) => {
    const page = startVisit(visit);
    before(page);
    page.chat.open();
    await settle();
    return page;
  };
  const reconnect = () => {
    network.isThere = true;
  };
  const mend = async ({ chat }: Visit) => {
    reconnect();
    chat.wake();
    await settle();
  };
  const sent = () =>
    visit.bff.received.filter(({ body }) => body?.clientMessageId).map(({ body }) => body.body);
  return { ...visit, open, reconnect, mend, sent };
}

/** A page of `who`, who writes this in vain plus an unfinished draft, and leaves. */
export async function writeAs(vain: ReturnType<typeof startVain>, who: string, words: string): Promise<void> {
  const page = await vain.open((visit) => visit.identify(who));
  page.chat.outbox.send(words);
  page.chat.composer.draft.value = `half a thought of ${who}`;
  await settle();
  page.chat.pause();
}
