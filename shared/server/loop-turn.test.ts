import { setImmediate as loopRound } from "node:timers/promises";
import { expect, test } from "vitest";
import { loopTurn } from "./loop-turn.ts";

test("pieces of work run in their order, one in each round of the event loop", async () => {
  const rounds: number[] = [];
  let round = 0;
  const pieces = Promise.all(
    Array.from({ length: 4 }, async () => {
      await loopTurn();
      rounds.push(round);
    }),
  );
  for (; round < 10; round += 1) await loopRound();
  await pieces;
  expect(new Set(rounds).size).toBe(4);
  expect(rounds).toEqual([...rounds].sort((a, b) => a - b));
});
