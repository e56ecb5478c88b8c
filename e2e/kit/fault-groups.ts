import { expect, test } from "@playwright/test";
import type { Endpoint } from "../upstream/endpoint.ts";
import { FAULT_NAMES, FAULTS, type FaultName } from "../upstream/faults.ts";
import type { MockOptions } from "../upstream/mock.ts";
import { type Stage, startStage } from "./stage.ts";

/** How many failures follow each other before the service recovers: fewer than any breaker needs to open. */
const AT_A_TIME = 4;
/** These take as long as the BFF's timeout, so they run concurrently. */
export const LONG: readonly FaultName[] = ["hang", "never-ending-body"];

/** Every other fault that must fail there, in groups for one visitor each. */
export function groupsFor(endpoint: Endpoint): readonly FaultName[][] {
  const short = FAULT_NAMES.filter(
    (fault) => FAULTS[fault].verdict(endpoint) === "fails" && fault !== "tls-error" && !LONG.includes(fault),
  );
  const groups: FaultName[][] = [];
  for (let from = 0; from < short.length; from += AT_A_TIME) groups.push(short.slice(from, from + AT_A_TIME));
  return groups;
}

/** Checks that a stage kept the contract, and makes it healthy again. */
async function settle({ mock }: Stage): Promise<void> {
  await mock.clearFaults();
  expect(mock.violations).toEqual([]);
  expect(mock.canaryCalls).toEqual([]);
}

/** Starts a stage for the tests of one describe, and checks the contract after each of them. */
export function useStage(options: MockOptions): () => Stage {
  let stage: Stage | undefined;
  const current = () => {
    if (!stage) throw new Error("no stage");
    return stage;
  };
  test.beforeAll(async () => {
    stage = await startStage(options);
  });
  test.afterEach(() => settle(current()));
  test.afterAll(() => stage?.dispose());
  return current;
}
