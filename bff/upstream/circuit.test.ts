import { describe, expect, it } from "vitest";
import { Failure } from "../../shared/errors.ts";
import { createTestClock, type TestClock } from "../testing/test-clock.ts";
import { type Circuit, createCircuit, ROUTE_RULES, type Sign } from "./circuit.ts";

/** How to report on a permitted call; otherwise the seconds to wait. */
function enter(circuit: Circuit): { report: (sign: Sign) => void } | { retryAfter: number | undefined } {
  try {
    return { report: circuit.enter() };
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "support_unreachable") throw error;
    return { retryAfter: error.retryAfter };
  }
}

function open(): { clock: TestClock; circuit: Circuit; calls: (...signs: Sign[]) => number } {
  const clock = createTestClock();
  const circuit = createCircuit(clock, ROUTE_RULES);
  /** Makes the permitted calls, and returns how many there were. */
  const calls = (...signs: Sign[]) =>
    signs.filter((sign) => {
      const entered = enter(circuit);
      if ("report" in entered) entered.report(sign);
      return "report" in entered;
    }).length;
  return { clock, circuit, calls };
}
const times = (count: number, ...signs: Sign[]) => Array.from({ length: count }, () => signs).flat();

describe("a circuit", () => {
  it.each<[string, Sign[], Circuit["state"]]>([
    ["4 failures in a row", times(4, "broken"), "closed"],
    ["5 failures in a row", times(5, "broken"), "open"],
    ["4, a success, 4", [...times(4, "broken"), "alive", ...times(4, "broken")], "closed"],
    ["every second call of 20 fails", times(10, "broken", "alive"), "open"],
    ["every second call of 18 fails", times(9, "broken", "alive"), "closed"],
    ["every third call of 60 fails", times(20, "broken", "alive", "alive"), "closed"],
    ["customers who left", times(50, "idle"), "closed"],
    ["customers who left between failures", times(5, "broken", "idle"), "open"],
  ])("%s: %s", (_, signs, state) => {
    const { circuit, calls } = open();
    calls(...signs);
    expect(circuit.state).toBe(state);
  });

  it("counts only the last 10 s", async () => {
    const { clock, circuit, calls } = open();
    for (let n = 0; n < 40; n += 1) {
      calls("broken", "alive");
      await clock.advance(1200);
    }
    expect(circuit.state).toBe("closed");
  });

  it("blocks all calls for 5 s, says how long, then permits exactly one", async () => {
    const { clock, circuit, calls } = open();
    calls(...times(5, "broken"));
    expect(enter(circuit)).toEqual({ retryAfter: 5 });
    await clock.advance(4000);
    expect(enter(circuit)).toEqual({ retryAfter: 1 });
    await clock.advance(1000);
    expect(circuit.state).toBe("half-open");
    const probe = enter(circuit);
    expect(enter(circuit)).toEqual({ retryAfter: 1 });
    if ("report" in probe) probe.report("alive");
    expect(circuit.state).toBe("closed");
  });

  it.each<[Sign, Circuit["state"]]>([
    ["broken", "open"],
    ["idle", "half-open"],
  ])("a probe that is %s leaves it %s", async (sign, state) => {
    const { clock, circuit, calls } = open();
    calls(...times(5, "broken"));
    await clock.advance(5000);
    expect(calls(sign)).toBe(1);
    expect(circuit.state).toBe(state);
  });

  it("a call that began before it opened neither closes it nor opens it again later", async () => {
    const { clock, circuit, calls } = open();
    const early = [enter(circuit), enter(circuit)];
    calls(...times(5, "broken"));
    for (const call of early) if ("report" in call) call.report("alive");
    expect(circuit.state).toBe("open");
    await clock.advance(5000);
    calls("alive", ...times(4, "broken"));
    for (const call of early) if ("report" in call) call.report("broken");
    expect(circuit.state).toBe("closed");
  });

  it("with a service that stays away: one call every 5 s", async () => {
    const { clock, calls } = open();
    calls(...times(5, "broken"));
    let letOut = 0;
    for (let second = 0; second < 60; second += 1) {
      await clock.advance(1000);
      letOut += calls(...times(50, "broken"));
    }
    expect(letOut).toBe(12);
  });
});
