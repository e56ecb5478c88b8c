import { afterEach, describe, expect, it } from "vitest";
import type { Message } from "../../shared/message.ts";
import { type Door, openDoor } from "./door.test-kit.ts";
import { FAULT_NAMES, type FaultName } from "./faults.ts";
import { startMockUpstream } from "./mock.ts";
import { UPSTREAM_TEXT } from "./wire.ts";

/** Long enough for a healthy answer on a busy machine, short enough for a table of them. */
const UPSTREAM_TOTAL_MS = 1500;

/** Faults before which whole events of the answer arrived: the message was stored, and the answer is what arrived. */
const TAKEN: readonly FaultName[] = [
  "truncated-json",
  "content-length-short",
  "content-length-long",
  "chunks-unfinished",
  "reset-in-body",
  "reset-after-body",
  "never-ending-body",
  "huge-50mb",
  "slow",
];

/** Refusals that mean that the conversation itself is gone. */
const GONE: readonly FaultName[] = ["status-404"];

/** The first attempt is still running: a retry waits with it, and nothing is sent twice. */
const STILL_RUNS: readonly FaultName[] = ["hang"];

const running: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of running.splice(0).toReversed()) await one.close();
});

const SECOND = { clientMessageId: "cm-second", body: "And to the islands?" };
const WHOLE = "Delivery takes 2 to 4 business days.";

/** A customer in an open conversation of a service with turns and without events. */
async function open(fault: FaultName) {
  const mock = await startMockUpstream({ kind: "turns", tls: fault === "tls-error", slowMs: 60 });
  const door: Door = await openDoor(mock, { upstreamTotalMs: UPSTREAM_TOTAL_MS });
  running.push(mock, door);
  // The first calls of a new process may outlast the limit on a busy machine; a customer tries again, too.
  const succeed = async (path: string, options: Parameters<Door["call"]>[2]) => {
    let json: unknown;
    const call = async () => {
      const answer = await door.call("POST", path, options);
      json = answer.json;
      return answer.status;
    };
    await expect.poll(call).toBe(201);
    return json;
  };
  const { token } = (await succeed("/api/session", { body: {} })) as { token: string };
  const first = { clientMessageId: "cm-first", body: "How long does delivery take?" };
  await succeed("/api/conversation", { token, body: first });
  const messages = async (): Promise<Message[]> => {
    const state = (await door.call("POST", "/api/session", { token, body: {} })).json;
    const { conversation } = state as { conversation: { messages: Message[] } | null };
    return conversation?.messages ?? [];
  };
  await expect.poll(async () => (await messages()).length).toBe(2);
  const send = () => door.call("POST", "/api/conversation/messages", { token, body: SECOND });
  return { mock, door, messages, send };
}

describe("a turn's stream under every fault", () => {
  it.each(FAULT_NAMES)("%s", async (fault) => {
    const { mock, door, messages, send } = await open(fault);
    mock.setFault("turns", fault);
    const answer = await send();
    await mock.clearFaults();
    const isTaken = TAKEN.includes(fault);
    expect(answer.status >= 200 && answer.status < 300, `${answer.status} ${answer.text}`).toBe(isTaken);

    if (isTaken) {
      await expect.poll(async () => (await messages()).length).toBeGreaterThanOrEqual(4);
      const last = (await messages()).at(-1);
      // Complete, marked as cut off, or reported as failed; never a part that passes for the whole.
      const isWhole = last?.body === WHOLE && !last.incomplete;
      expect(isWhole || last?.incomplete === true || last?.notice === "agent_failed").toBe(true);
    } else if (STILL_RUNS.includes(fault)) {
      expect((await send()).json).toMatchObject({ code: "support_timeout" });
      expect(mock.requests.filter(({ endpoint }) => endpoint === "turns")).toHaveLength(2);
    } else if (!GONE.includes(fault)) {
      expect((await messages()).map(({ body }) => body)).not.toContain(SECOND.body);
      expect((await send()).status).toBe(201);
      expect((await messages()).filter(({ body }) => body === SECOND.body)).toHaveLength(1);
    }
    expect(mock.violations).toEqual([]);
    expect(mock.canaryCalls).toEqual([]);
    expect(answer.text + door.logged()).not.toContain(UPSTREAM_TEXT.slice(0, 20));
  });

  it("the faults after which the message counts as stored all exist in the table (control)", () => {
    expect(TAKEN.every((fault) => FAULT_NAMES.includes(fault))).toBe(true);
    expect(FAULT_NAMES.length).toBeGreaterThan(TAKEN.length * 3);
  });
});
