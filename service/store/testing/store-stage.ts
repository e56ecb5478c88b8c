import type { Published } from "../../live/hub.ts";
import type { ManualClock } from "../../testing/manual-clock.ts";
import type { HandoffRequest } from "../handoffs.ts";
import type { Owner } from "../owner.ts";
import type { Store } from "../store.ts";

/** A store that a driver's suite runs on. The test that opens it closes it. */
export interface OpenedStore {
  readonly store: Store;
  /** The store's own clock. */
  readonly clock: ManualClock;
  /** The events that the store has published so far. */
  readonly published: readonly Published[];
}

export const ROUTE = { channel: "web", agentProvider: "knowledge", humanHandoffAdapter: "desk" };
export const MARIA = { id: "user_maria", name: "Maria" };
export const NOOR = { id: "user_noor", name: "Noor" };
/** More entries than any test writes. */
const ALL = 1000;

/** A store with one workspace and customers who write in it. */
export async function openStage(opened: OpenedStore) {
  const { store } = opened;
  const { id: workspaceId } = await store.workspaces.create({ name: "one", publicKey: "pk_one" });
  let keys = 0;
  const ask = (owner: Owner, conversationId: string, more: Partial<HandoffRequest> = {}) =>
    store.handoffs.request(
      owner,
      {
        conversationId,
        reason: undefined,
        currentIntent: undefined,
        transcript: undefined,
        adapter: "desk",
        ...more,
      },
      undefined,
    );
  return {
    ...opened,
    workspaceId,
    ask,
    customer: async (externalId: string, of = workspaceId): Promise<Owner> => ({
      workspaceId: of,
      customerId: (await store.customers.upsert(of, { externalId })).id,
    }),
    start: async (owner: Owner): Promise<string> => {
      const given = { subject: undefined, route: ROUTE, locale: "en" };
      return (await store.conversations.start(owner, given, undefined)).id;
    },
    say: (owner: Owner, id: string, body: string, more: { clientMessageId?: string } = {}) => {
      keys += 1;
      return store.conversations.addTurn(owner, id, { clientMessageId: `key-${keys}`, body, ...more });
    },
    log: async (owner: Owner, id: string) => (await store.conversations.readEvents(owner, id, 0, ALL)).events,
    read: (owner: Owner, id: string) => store.conversations.readTranscript(owner, id, 0, ALL),
  };
}

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** A stage on which a customer has asked for a person. */
export async function openAsked(opened: OpenedStore) {
  const stage = await openStage(opened);
  const ann = await stage.customer("ann");
  const id = await stage.start(ann);
  await stage.ask(ann, id);
  const target = { workspaceId: stage.workspaceId, conversationId: id };
  return { ...stage, ann, id, target, desk: stage.store.desk };
}
