import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createFairStart, ROUNDS } from "./fair-start.ts";

/** Requests note their names when they begin, and last as many rounds of the event loop as is asked. */
function open() {
  const fairStart = createFairStart();
  const begun: string[] = [];
  const request = (address: string, name: string, work: () => Promise<unknown> = async () => undefined) =>
    fairStart(address, () => {
      begun.push(name);
      return work();
    });
  return { begun, fairStart, request };
}

async function rounds(count: number) {
  for (let round = 0; round < count; round += 1) await setImmediate();
}

describe("GATE5 the start of a request", () => {
  it("is immediate where no other request of its address runs", async () => {
    const { begun, request } = open();
    const both = [request("one", "first"), request("two", "second")];
    expect(begun).toEqual(["first", "second"]);
    await Promise.all(both);
    await rounds(2);
    const later = request("one", "third");
    expect(begun).toContain("third");
    await later;
  });

  it("waits some rounds from the end of the request of its address before it, but for no other address", async () => {
    const { begun, request } = open();
    const lasting = () => rounds(3);
    const flood = Array.from({ length: 5 }, (_, count) => request("flood", `flood ${count}`, lasting));
    await setImmediate();
    await request("other", "other", () => rounds(ROUNDS - 3));
    expect(begun).toEqual(["flood 0", "other"]);
    await Promise.all(flood);
    expect(begun.filter((name) => name !== "other")).toEqual(flood.map((_, count) => `flood ${count}`));
  });

  it("does not wait for a request that waits for the service", async () => {
    const { begun, request } = open();
    const stuck = new Promise<void>(() => undefined);
    void request("office", "stuck", () => stuck);
    const next = request("office", "next");
    await rounds(2);
    expect(begun).toEqual(["stuck"]);
    await rounds(ROUNDS);
    expect(begun).toEqual(["stuck", "next"]);
    await next;
  });

  it("waits only as many rounds as it asks for", async () => {
    const { begun, fairStart, request } = open();
    void request("one", "stuck", () => new Promise<void>(() => undefined));
    const hasty = fairStart("one", async () => begun.push("hasty"), 1);
    await rounds(2);
    expect(begun).toEqual(["stuck", "hasty"]);
    await hasty;
  });

  it("comes after a request that failed", async () => {
    const { begun, request } = open();
    const failing = request("one", "failing", () => Promise.reject(new Error("broken")));
    const next = request("one", "next");
    await expect(failing).rejects.toThrow("broken");
    await next;
    expect(begun).toEqual(["failing", "next"]);
  });
});
