import { expect, it } from "vitest";
import { createScriptedService, json } from "../testing/scripted-service.ts";
import { createTestClock } from "../testing/test-clock.ts";
import { createFetchTransport } from "../upstream/fetch-transport.ts";
import { createRemoteReadiness } from "./readiness.ts";

const GONE = ["The service at BASE_URL does not answer."];

function open() {
  const service = createScriptedService();
  const clock = createTestClock();
  const ready = createRemoteReadiness(createFetchTransport(service), clock);
  return { service, clock, ready, asked: () => service.calls("capabilities").length };
}

it("however many ask, the service is asked once in 5 seconds, also while it does not answer", async () => {
  const { service, clock, ready, asked } = open();
  service.answer("capabilities", () => new Promise<Response>(() => undefined));
  const waiting = Array.from({ length: 20 }, () => ready());
  await clock.advance(2000);
  expect(await Promise.all(waiting)).toEqual(Array.from({ length: 20 }, () => GONE));
  await clock.advance(2999);
  expect(await ready()).toEqual(GONE);
  expect(asked()).toBe(1);
  service.answer("capabilities", () => json({}, 401));
  await clock.advance(1);
  expect(await ready()).toEqual([]);
  expect(asked()).toBe(2);
});

it("an answer of 500 or above is none", async () => {
  const { service, ready } = open();
  service.answer("capabilities", () => json({}, 503));
  expect(await ready()).toEqual(GONE);
});
