import { expect, test } from "@playwright/test";
import type { Endpoint } from "../upstream/endpoint.ts";
import { FAULT_NAMES, FAULTS, type FaultName } from "../upstream/faults.ts";
import type { MockOptions } from "../upstream/mock.ts";
import { type Stage, startStage } from "./stage.ts";

/** One visitor repeats one call under all faults within a minute; these tests are not about limits. */
const LIMITS = Object.fromEntries(
  [
    "CALLS_PER_SESSION",
    "HANDOFFS_PER_ADDRESS",
    "HANDOFFS_PER_CUSTOMER",
    "SENDS_PER_CUSTOMER",
    "SENDS_PER_SESSION",
    "SUMMARIES_PER_CUSTOMER",
    "UPLOADS_PER_SESSION",
  ].map((name) => [`LIMIT_${name}`, "1000"]),
);
/** These take as long as the BFF's timeout, so they run concurrently. */
export const LONG: readonly FaultName[] = ["hang", "never-ending-body"];

/**
 * Every other fault that must fail there, for one visitor: opening a page costs as much as five faults. The outages are
 * in the second half of the table, the answers in the first: in turn, an answer follows each outage, so no circuit
 * opens.
 */
export function faultsAt(endpoint: Endpoint): readonly FaultName[] {
  const short = FAULT_NAMES.filter(
    (fault) => FAULTS[fault].verdict(endpoint) === "fails" && fault !== "tls-error" && !LONG.includes(fault),
  );
  const half = Math.ceil(short.length / 2);
  return short.slice(0, half).flatMap((fault, index) => [fault, ...short.slice(half + index).slice(0, 1)]);
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
