import { expect, it } from "vitest";
import { createTestClock } from "../bff/testing/test-clock.ts";
import { createFetchTransport } from "../bff/upstream/fetch-transport.ts";
import { createFakeService, json } from "../service/testing/fake/fake-service.ts";
import { createRemoteReadiness } from "./remote-service.ts";

const GONE = ["The service at BASE_URL does not answer."];

function open() {
  const service = createFakeService();
  const clock = createTestClock();
  const ready = createRemoteReadiness(createFetchTransport(service), clock);
  return { service, clock, ready, asked: () => service.calls("capabilities").length };
}

it("the service is asked at most once in 5 seconds, even while it does not answer", async () => {
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

it("a status of 500 or above means not ready", async () => {
  const { service, ready } = open();
  service.answer("capabilities", () => json({}, 503));
  expect(await ready()).toEqual(GONE);
});
