import { describe, expect, it } from "vitest";
import { createManualClock } from "../../service/testing/manual-clock.ts";
import { createMemoryLog } from "../../service/testing/memory-log.ts";
import { supervise } from "./supervise.ts";

/** A supervised program whose stop takes until `finish` is called. */
function open() {
  const clock = createManualClock();
  const listeners = new Map<string, () => void>();
  const exits: number[] = [];
  const stop = Promise.withResolvers<void>();
  let stops = 0;
  supervise(
    {
      on: (name: string, listener: () => void) => void listeners.set(name, listener),
      exit: (code: number) => void exits.push(code),
    } as unknown as NodeJS.Process,
    {
      log: createMemoryLog(),
      clock,
      stop: () => {
        stops += 1;
        return stop.promise;
      },
      flush: () => undefined,
    },
  );
  return {
    clock,
    exits,
    stops: () => stops,
    signal: (name: "SIGTERM" | "SIGINT") => listeners.get(name)?.(),
    finish: async () => {
      stop.resolve();
      await stop.promise;
    },
  };
}

describe("a supervised program", () => {
  it("OPS2 a signal repeated within a second is the same one: the program stops in order", async () => {
    const { clock, exits, stops, signal, finish } = open();
    signal("SIGINT");
    clock.advance(999);
    signal("SIGINT");
    expect([stops(), exits]).toEqual([1, []]);
    await finish();
    expect(exits).toEqual([0]);
  });

  it("OPS2 a second signal after a second ends it at once", () => {
    const { clock, exits, signal } = open();
    signal("SIGTERM");
    clock.advance(1000);
    signal("SIGINT");
    expect(exits).toEqual([1]);
  });
});
