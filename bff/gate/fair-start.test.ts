import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createFairStart } from "./gate.ts";

/** Requests note their names when they begin. */
function open() {
  const fairStart = createFairStart();
  const begun: string[] = [];
  const request = async (address: string, name: string) => {
    await fairStart(address);
    begun.push(name);
  };
  return { fairStart, begun, request };
}

describe("GATE5 the start of a request", () => {
  it("is immediate if its address began nothing in this round", () => {
    const { fairStart } = open();
    expect([fairStart("one"), fairStart("two")]).toEqual([undefined, undefined]);
    expect(fairStart("one")).toBeInstanceOf(Promise);
  });

  it("waits for one round of the event loop for each earlier request of its address, and for no other", async () => {
    const { begun, request } = open();
    const flood = Array.from({ length: 5 }, (_, count) => request("flood", `flood ${count}`));
    await setImmediate();
    await request("other", "other");
    expect(begun.indexOf("other")).toBeLessThan(3);
    await Promise.all(flood);
    expect(begun.filter((name) => name !== "other")).toEqual([
      "flood 0",
      "flood 1",
      "flood 2",
      "flood 3",
      "flood 4",
    ]);
  });

  it("is immediate again in a later round", async () => {
    const { fairStart } = open();
    await Promise.all([fairStart("one"), fairStart("one")]);
    await setImmediate();
    await setImmediate();
    expect(fairStart("one")).toBeUndefined();
  });
});
