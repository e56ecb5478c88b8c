import { describe, expect, test } from "vitest";
import type { ServiceEvent } from "../../shared/event.ts";
import { createManualClock } from "../testing/manual-clock.ts";
import { createHub } from "./hub.ts";
import { createTyping, TYPING_MS } from "./typing.ts";

const CUSTOMER = { workspaceId: "w", conversationId: "c", role: "customer" } as const;
const MAYA = { ...CUSTOMER, role: "human", name: "Maya" } as const;
const AT = "2026-11-21T12:00:00.000Z";

function open() {
  const clock = createManualClock();
  const hub = createHub((error) => {
    throw error;
  });
  const told: ServiceEvent[] = [];
  hub.subscribeWorkspace("w", ({ event }) => void told.push(event));
  const happen = (event: ServiceEvent) => hub.publish({ workspaceId: "w", conversationId: "c", event });
  return {
    clock,
    happen,
    typing: createTyping({ hub, clock }),
    types: () => told.map(({ type }) => type),
    told,
  };
}
const messageOf = (role: "customer" | "human", seq = 2): ServiceEvent => ({
  type: "message.created",
  seq,
  at: AT,
  message: { id: `m${seq}`, seq, at: AT, role, body: "Hello" },
});

describe("TYPE1 a typing signal", () => {
  test("expires six seconds after its last renewal", () => {
    const { clock, typing, told } = open();
    typing.tell(MAYA);
    clock.advance(3000);
    typing.tell(MAYA);
    clock.advance(TYPING_MS - 1);
    const started = { type: "typing.started", role: "human", name: "Maya" };
    expect(told).toEqual([started, started]);
    clock.advance(1);
    expect(told.at(-1)).toEqual({ type: "typing.stopped", role: "human" });
    clock.advance(60_000);
    expect(told).toHaveLength(3);
  });

  test("is not republished immediately, but is still renewed", () => {
    const { clock, typing, types } = open();
    for (let n = 0; n < 20; n += 1) {
      typing.tell(CUSTOMER);
      clock.advance(100);
    }
    expect(types()).toEqual(["typing.started"]);
    clock.advance(TYPING_MS - 101);
    expect(types()).toEqual(["typing.started"]);
    clock.advance(1);
    expect(types()).toEqual(["typing.started", "typing.stopped"]);
  });

  test("is renewed for its readers after the machine's clock was set back", () => {
    const { clock, typing, types } = open();
    typing.tell(CUSTOMER);
    clock.advance(-60_000);
    typing.tell(CUSTOMER);
    expect(types()).toEqual(["typing.started", "typing.started"]);
  });

  test("ends when the writer's message arrives, and not when the other side acts", () => {
    const { clock, typing, types, happen } = open();
    typing.tell(CUSTOMER);
    happen(messageOf("human"));
    expect(types()).not.toContain("typing.stopped");
    happen(messageOf("customer", 3));
    expect(types()).toContain("typing.stopped");
    typing.tell(CUSTOMER);
    expect(types().at(-1)).toBe("typing.started");
    clock.advance(TYPING_MS);
    expect(types().filter((type) => type === "typing.stopped")).toHaveLength(2);
  });

  test("ends with the conversation, and for a person with the hand-off", () => {
    const { typing, told, happen } = open();
    typing.tell(CUSTOMER);
    typing.tell(MAYA);
    happen({ type: "handoff.returned", seq: 4, at: AT, handoff: { id: "h", status: "returned" } });
    happen({ type: "conversation.ended", seq: 5, at: AT, by: "customer" });
    expect(told.flatMap((event) => (event.type === "typing.stopped" ? [event.role] : []))).toEqual([
      "human",
      "customer",
    ]);
  });

  test("ERASE1 no typing signal follows an erasure", () => {
    const { clock, typing, types, happen } = open();
    typing.tell(CUSTOMER);
    happen({ type: "conversation.erased" });
    clock.advance(60_000);
    expect(types()).toEqual(["typing.started", "conversation.erased"]);
  });
});
