import { expect, test } from "@playwright/test";
import type { Endpoint } from "../upstream/endpoint.ts";
import { FAULT_NAMES, FAULTS, type FaultName } from "../upstream/faults.ts";
import type { MockOptions } from "../upstream/mock.ts";
import { type Stage, startStage } from "./stage.ts";

/** How many one visitor meets: a visitor costs about a second of processor time, a further fault a tenth. */
const AT_A_TIME = 14;
/** A customer who asks for a person this often in one hour. */
const LIMITS = { ["LIMIT_HANDOFFS_PER_CUSTOMER"]: "100" };
/** These take as long as the BFF's timeout, so they run concurrently. */
export const LONG: readonly FaultName[] = ["hang", "never-ending-body"];

/**
 * Every other fault that must fail there, in groups for one visitor each. The outages are in the second half of the
 * table, the answers in the first: in turn, an answer follows each outage, so that no circuit opens.
 */
export function groupsFor(endpoint: Endpoint): readonly FaultName[][] {
  const short = FAULT_NAMES.filter(
    (fault) => FAULTS[fault].verdict(endpoint) === "fails" && fault !== "tls-error" && !LONG.includes(fault),
  );
  const half = Math.ceil(short.length / 2);
  const inTurn = short
    .slice(0, half)
    .flatMap((fault, index) => [fault, ...short.slice(half + index).slice(0, 1)]);
  const groups: FaultName[][] = [];
  for (let from = 0; from < inTurn.length; from += AT_A_TIME)
    groups.push(inTurn.slice(from, from + AT_A_TIME));
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
    stage = await startStage(options, LIMITS);
  });
  test.afterEach(() => settle(current()));
  test.afterAll(() => stage?.dispose());
  return current;
}
