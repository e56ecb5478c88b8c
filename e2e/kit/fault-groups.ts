import { expect, test } from "@playwright/test";
import { WIDE_LIMITS } from "../../bff/testing/wide-limits.ts";
import type { Endpoint } from "../upstream/endpoint.ts";
import { FAULT_NAMES, FAULTS, type FaultName, OF_EACH_ANSWER } from "../upstream/faults.ts";
import type { MockOptions } from "../upstream/mock.ts";
import { type Stage, startStage } from "./stage.ts";

/** It takes as long as the BFF's timeout, so the acts under it run concurrently. */
export const ENDLESS: FaultName = "hang";

/** More that prove nothing, for what customers do most: a message and asking for a person. */
const MORE: readonly FaultName[] = [
  "empty-200",
  "html-200",
  "truncated-json",
  "other-id",
  "no-content-204",
  "redirect-302",
];
const WITH_MORE: readonly Endpoint[] = ["turns", "handoffs"];

/**
 * The faults that must fail there, except the endless one, for one visitor: opening a page costs as much as five faults.
 * The outages are in the second half of the table, the answers in the first: in turn, an answer follows each outage, so
 * no circuit opens.
 */
export function faultsAt(endpoint: Endpoint): readonly FaultName[] {
  const wanted = WITH_MORE.includes(endpoint) ? [...OF_EACH_ANSWER, ...MORE] : OF_EACH_ANSWER;
  const short = FAULT_NAMES.filter(
    (fault) => wanted.includes(fault) && fault !== ENDLESS && FAULTS[fault].verdict(endpoint) === "fails",
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
    stage = await startStage(options, WIDE_LIMITS);
  });
  test.afterEach(() => settle(current()));
  test.afterAll(() => stage?.dispose());
  return current;
}
