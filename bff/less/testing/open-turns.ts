import { createFakeService } from "../../../service/testing/fake/fake-service.ts";
import type { LoggedEvent } from "../../../shared/event.ts";
import { createSqliteStore } from "../../store/sqlite-store.ts";
import type { Store } from "../../store/store.ts";
import { createTestBff, dataOf, readBlocks } from "../../testing/test-bff.ts";
import { createTestClock, settle } from "../../testing/test-clock.ts";
import { delta, type TurnLine, withTurnLines } from "../../testing/turn-lines.ts";

export const HELLO = { clientMessageId: "k1", body: "Where is my parcel?" };

/** A BFF with a service that has turns and no events, and one customer's session. */
export async function openTurns(change: (store: Store) => Store = (store) => store) {
  const service = createFakeService({ kind: "turns" });
  const lines = withTurnLines(service);
  const clock = createTestClock();
  const store = change(createSqliteStore(":memory:", { clock }));
  const bff = createTestBff({ service, clock, store });
  const { token, customer } = await bff.startSession();
  const line = (index: number): TurnLine => {
    const found = lines[index];
    if (!found) throw new Error(`no turn ${index}`);
    return found;
  };
  const send = (message: { clientMessageId: string; body: string }) =>
    bff.post("/api/conversation/messages", message, token);
  /** The first message of a conversation, whose answer has begun. */
  const begin = async () => {
    const answer = bff.post("/api/conversation", HELLO, token);
    await settle();
    line(0).send(delta("It "));
    await settle();
    return answer;
  };
  const snapshot = async () => {
    const answer = await bff.post("/api/session", {}, token);
    return ((await answer.json()) as { conversation: Snapshot }).conversation;
  };
  const events = async (count: number, lastEventId = "") => {
    const answer = await bff.request("GET", "/api/conversation/events", {
      token,
      headers: { "last-event-id": lastEventId },
    });
    return (await readBlocks(answer, count)).map(dataOf) as (LoggedEvent & Record<string, unknown>)[];
  };
  return {
    service,
    clock,
    bff,
    token,
    customer: customer.externalId,
    line,
    lines,
    send,
    begin,
    snapshot,
    events,
  };
}

/** The fields of a snapshot that tests read. */
export interface Snapshot {
  id: string;
  epoch: string;
  lastSeq: number;
  messages: { id: string; seq: number; role: string; body: string; incomplete?: boolean; notice?: string }[];
  actions?: object[];
  suggestion?: object;
  handoff?: object;
}
/** The role and the words of each message. */
export const said = ({ messages }: Snapshot) =>
  messages.map(({ role, body, incomplete, notice }) => [
    role,
    notice ?? body,
    ...(incomplete ? ["cut"] : []),
  ]);
