import { describe, expect, it } from "vitest";
import { Failure } from "../../shared/errors.ts";
import { createTestClock, settle } from "../testing/test-clock.ts";
import { type CallGuardDeps, createCallGuard, type GuardedCall, type Tried } from "./call-guard.ts";
import type { Circuit } from "./circuit.ts";
import { Refused } from "./failure.ts";

const TOTAL_MS = 8000;
type Script = Tried<string>;
const OK: Script = { value: "done", sign: "alive" };
const away = (retryAfter?: number): Script => ({
  failure: new Failure("support_unreachable", retryAfter === undefined ? {} : { retryAfter }),
  sign: "broken",
});
const refused = (status: number, retryAfter?: number): Script => ({
  failure: new Refused(status, true, "support_refused", retryAfter),
  sign: "alive",
});
const lie: Script = { failure: new Failure("not_confirmed"), sign: "alive" };
const late: Script = { failure: new Failure("support_timeout"), sign: "broken" };

/** A guard with a service that answers by a script and repeats its last answer. */
function open(options: Partial<CallGuardDeps> = {}) {
  const clock = createTestClock();
  const lines: string[] = [];
  const write = (level: string) => (_: object, message: string) => void lines.push(`${level} ${message}`);
  const log = { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
  const guard = createCallGuard({
    clock,
    log,
    jitter: () => 0.5,
    schemes: { identify: "application" },
    ...options,
  });
  const seen: number[] = [];
  async function call(script: readonly Script[], more: Partial<GuardedCall> = {}): Promise<string> {
    let outcome: string | undefined;
    const at = seen.length;
    const running = guard
      .run({ operation: "turns", isRepeatable: true, endsAt: clock.now() + TOTAL_MS, ...more }, () => {
        seen.push(clock.now());
        return Promise.resolve(script[Math.min(seen.length - at, script.length) - 1] ?? OK);
      })
      .then(
        (value) => value,
        (error: Failure) => [error.code, ...(error.retryAfter ? [error.retryAfter] : [])].join(" "),
      )
      .then((said) => {
        outcome = said;
      });
    for (let round = 0; outcome === undefined && round < 50; round += 1) {
      await settle();
      if (outcome === undefined) await clock.advance(250);
    }
    await running;
    return `${outcome} after ${seen.length - at}`;
  }
  return { clock, guard, seen, lines, call };
}

describe("what may be repeated", () => {
  it.each<[string, Script[], Partial<GuardedCall>, string]>([
    ["healthy", [OK], {}, "done after 1"],
    ["away once", [away(), OK], {}, "done after 2"],
    ["away twice", [away(), away(), OK], {}, "done after 3"],
    ["away for good", [away()], {}, "support_unreachable after 3"],
    ["away, and not repeatable", [away(), OK], { isRepeatable: false }, "support_unreachable after 1"],
    ["a lie is not asked for again", [lie, OK], {}, "not_confirmed after 1"],
    ["a refusal is an answer", [refused(422), OK], {}, "support_refused after 1"],
    ["too many, wait 1 s", [refused(429, 1), OK], {}, "done after 2"],
    ["too many, wait 7 s: the customer waits", [refused(429, 7), OK], {}, "support_refused 7 after 1"],
    ["away for 7 s: the customer waits", [away(7), OK], {}, "support_unreachable 7 after 1"],
    ["lost, then refused: it may have been done", [away(), refused(409)], {}, "not_confirmed after 2"],
    ["lost, then a token that is over", [away(), refused(401)], {}, "support_refused after 2"],
    ["lost in the body, then done", [{ ...lie, sign: "broken" }, OK], {}, "done after 2"],
  ])("%s", async (_, script, more, said) => {
    expect(await open().call(script, more)).toBe(said);
  });

  it("no attempt begins that could not end in time", async () => {
    const { clock, call } = open();
    const endsAt = clock.now() + 550;
    expect(await call([away()], { endsAt })).toBe("support_unreachable after 1");
    expect(await call([late, OK], { endsAt: clock.now() })).toBe("support_timeout after 1");
  });

  it("delays are random, and longer the second time", async () => {
    const waits = async (jitter: number) => {
      const { call, seen } = open({ jitter: () => jitter });
      await call([away()]);
      return seen.slice(1).map((at, index) => at - (seen[index] ?? 0));
    };
    expect(await waits(0)).toEqual([0, 0]);
    expect(await waits(0.99)).toEqual([198, 396]);
  });

  it("a service that is down for a minute gets at most a tenth more than its load", async () => {
    const { call, seen } = open({ newCircuit: noCircuit });
    for (let n = 0; n < 3000; n += 1) await call([away()]);
    expect(seen.length).toBeLessThanOrEqual(3300);
    expect(seen.length).toBeGreaterThan(3000);
  });

  it("without the budget it would get three times as much (control)", async () => {
    const budget = { earn: () => undefined, spend: () => true };
    const { call, seen } = open({ newCircuit: noCircuit, budget });
    for (let n = 0; n < 100; n += 1) await call([away()]);
    expect(seen).toHaveLength(300);
  });
});

/** One that never opens. */
function noCircuit(): Circuit {
  return { state: "closed", enter: () => () => undefined };
}

describe("a route that fails", () => {
  async function storm(options: Partial<CallGuardDeps>): Promise<number> {
    const { clock, call, seen } = open(options);
    for (let n = 0; n < 300; n += 1) {
      await call([away()], { isRepeatable: false });
      await clock.advance(100);
    }
    return seen.length;
  }

  it("is called little: 30 s at 10 calls a second become 5 calls and one every 5 s", async () => {
    expect(await storm({})).toBeLessThanOrEqual(11);
  });
  it("would get every call without the circuit (control)", async () => {
    expect(await storm({ newCircuit: noCircuit })).toBe(300);
  });

  it("fails at once, with the time to wait, and another route continues", async () => {
    const { guard, call } = open();
    for (let n = 0; n < 5; n += 1) await call([away()], { isRepeatable: false });
    expect(await call([OK])).toBe("support_unreachable 5 after 0");
    expect(await call([OK], { operation: "messages" })).toBe("done after 1");
    expect(guard.circuits()).toEqual(
      new Map([
        ["turns", "open"],
        ["messages", "closed"],
      ]),
    );
  });

  it("a call counts once, however often it was retried; a probe is tried once", async () => {
    const { clock, guard, call } = open({ budget: { earn: () => undefined, spend: () => true } });
    for (let n = 0; n < 4; n += 1) expect(await call([away()])).toBe("support_unreachable after 3");
    expect(guard.circuits().get("turns")).toBe("closed");
    await call([away()]);
    await clock.advance(5000);
    expect(await call([away()])).toBe("support_unreachable after 1");
  });

  it("an attempt that throws unexpectedly does not keep the probe's place", async () => {
    const { clock, guard, call } = open();
    for (let n = 0; n < 5; n += 1) await call([away()], { isRepeatable: false });
    await clock.advance(5000);
    const thrown = guard.run({ operation: "turns", isRepeatable: false, endsAt: clock.now() }, () => {
      throw new TypeError("a bug");
    });
    await expect(thrown).rejects.toThrow("a bug");
    expect(await call([OK])).toBe("done after 1");
  });

  it("recovers within 10 s of the service", async () => {
    const { clock, call } = open();
    for (let n = 0; n < 5; n += 1) await call([away()], { isRepeatable: false });
    await clock.advance(5000);
    expect(await call([OK])).toBe("done after 1");
    expect(await call([OK])).toBe("done after 1");
  });

  it("refusals and unverified answers are answers: they open no circuit", async () => {
    const { guard, call } = open();
    for (let n = 0; n < 30; n += 1) await call([n % 2 === 0 ? refused(422) : lie]);
    expect(guard.circuits().get("turns")).toBe("closed");
  });
});

describe("a credential that the service refuses", () => {
  const identify = { operation: "identify" } as const;

  it.each([401, 403])("%i is logged once a minute, without a storm of calls", async (status) => {
    const { clock, guard, seen, lines, call } = open();
    for (let n = 0; n < 600; n += 1) {
      await call([refused(status)], identify);
      await clock.advance(100);
    }
    expect(seen.length).toBeLessThanOrEqual(3 + 12);
    const said = lines.filter((line) => line.startsWith("error"));
    expect(said.length).toBe(1);
    expect(said[0]).toContain("APPLICATION_CREDENTIAL");
    expect(guard.reasons()).toEqual(["The service refuses the application credential."]);
    await clock.advance(60_000);
    expect(guard.reasons()).toEqual([]);
  });

  it("ends with the first call that it accepts", async () => {
    const { clock, guard, call } = open();
    for (let n = 0; n < 3; n += 1) await call([refused(401)], identify);
    expect(await call([OK], identify)).toBe("support_unreachable 5 after 0");
    await clock.advance(5000);
    expect(await call([OK], identify)).toBe("done after 1");
    expect(await call([OK], identify)).toBe("done after 1");
    expect(guard.reasons()).toEqual([]);
  });

  it("session tokens that are all refused block nobody, and are no refusal of the credential", async () => {
    const { guard, lines, seen, call } = open();
    for (let n = 0; n < 60; n += 1) await call([refused(401)]);
    expect(seen).toHaveLength(60);
    expect(guard.reasons()).toEqual([]);
    expect(lines).toEqual([]);
  });
});
