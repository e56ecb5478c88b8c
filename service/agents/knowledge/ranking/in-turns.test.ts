import { expect, test } from "vitest";
import { atOnce, inTurns } from "./in-turns.ts";

/** Steps that take longer than a turn may. */
function* slow(steps: number): Generator<void, string> {
  for (let step = 0; step < steps; step += 1) {
    const end = performance.now() + 11;
    while (performance.now() < end);
    yield;
  }
  return "made";
}

test("work in turns lets other work go on after each of them, and gives what it made", async () => {
  let others = 0;
  const count = () => {
    others += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  expect(await inTurns(slow(5))).toBe("made");
  clearImmediate(next);
  expect(others).toBeGreaterThanOrEqual(5);
});

test("the same work at once lets nothing else go on (control)", () => {
  let others = 0;
  const next = setImmediate(() => {
    others += 1;
  });
  expect(atOnce(slow(2))).toBe("made");
  clearImmediate(next);
  expect(others).toBe(0);
});
