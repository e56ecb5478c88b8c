import { describe, expect, test } from "vitest";
import { createManualClock } from "../testing/manual-clock.ts";
import { openTestService } from "../testing/test-service.ts";
import { createPresence, LEAVING_MS, type Presence } from "./presence.ts";

function open() {
  const clock = createManualClock();
  const touched: string[] = [];
  const presence = createPresence({ clock, hub: { touch: (_, id) => void touched.push(id) } });
  return { clock, presence, touched };
}

describe("DESK13 the presence of a customer", () => {
  test("lasts while any of their streams is open, and over the gap between two pages", () => {
    const { clock, presence, touched } = open();
    expect(presence.of("c")).toBeUndefined();
    const first = presence.join("w", "c");
    const second = presence.join("w", "c");
    first();
    first();
    clock.advance(10 * LEAVING_MS);
    expect(presence.of("c")).toEqual({ online: true });
    second();
    clock.advance(LEAVING_MS - 1);
    const next = presence.join("w", "c");
    clock.advance(10 * LEAVING_MS);
    expect(presence.of("c")).toEqual({ online: true });
    expect(touched).toEqual(["c"]);
    next();
  });

  test("ends with the time at which the last stream closed, and begins again", () => {
    const { clock, presence, touched } = open();
    const leave = presence.join("w", "c");
    const lastSeenAt = new Date(clock.now()).toISOString();
    leave();
    clock.advance(LEAVING_MS);
    expect(presence.of("c")).toEqual({ online: false, lastSeenAt });
    presence.join("w", "c");
    expect(presence.of("c")).toEqual({ online: true });
    expect(touched).toEqual(["c", "c", "c"]);
  });

  test("is remembered for the last 10,000 who left, and for everybody who is there", () => {
    const { clock, presence } = open();
    presence.join("w", "here");
    for (let count = 0; count < 10_001; count += 1) presence.join("w", `c${count}`)();
    clock.advance(LEAVING_MS);
    expect([presence.of("here")?.online, presence.of("c0"), presence.of("c1")?.online]).toEqual([
      true,
      undefined,
      false,
    ]);
  });

  test("is known from the customer's own event stream", async () => {
    let presence: Presence | undefined;
    const t = await openTestService({
      addDesk(_, live) {
        presence = live.presence;
      },
    });
    const ann = await t.customer("ann");
    const id = await ann.start();
    expect(presence?.of(id)).toBeUndefined();
    const stream = await ann.get(`/v1/support/conversations/${id}/events`);
    await expect.poll(() => presence?.of(id)).toEqual({ online: true });
    await stream.body?.cancel();
    t.clock.advance(LEAVING_MS);
    expect(presence?.of(id)?.online).toBe(false);
  });
});
