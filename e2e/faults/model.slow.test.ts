import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runModel } from "./model.ts";
import { createSeededRandom } from "./random.ts";
import { startWorld, type World } from "./world.ts";

const RUNS = 60;
const SEED = 20261121;
const PATIENCE_MS = 900_000;

let world: World;
beforeAll(async () => {
  world = await startWorld(createSeededRandom("model"));
}, PATIENCE_MS);
afterAll(() => world.dispose());

describe("whatever customers, people, networks and processes do", () => {
  test(
    `${RUNS} runs: acknowledged messages are stored once, every screen shows the service's order, nobody sees another's messages`,
    async () => {
      await runModel({ world, runs: RUNS, seed: SEED });
      expect(world.ledger.holes()).toBe(0);
    },
    PATIENCE_MS,
  );
});
