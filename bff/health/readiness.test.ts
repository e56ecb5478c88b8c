import { expect, it } from "vitest";
import { createFakeService, json } from "../../service/testing/fake/fake-service.ts";
import { createTestClock } from "../testing/test-clock.ts";
import { createFetchTransport } from "../upstream/fetch-transport.ts";
import { createReadiness, createRemoteReadiness } from "./readiness.ts";

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

it("the store is written at most once a second, however many probes come", async () => {
  const clock = createTestClock();
  let writes = 0;
  let isBroken = false;
  const write = () => {
    writes += 1;
    return isBroken ? Promise.reject(new Error("disk")) : Promise.resolve(true);
  };
  const ready = createReadiness({
    store: { write },
    support: async () => [],
    isDraining: () => false,
    clock,
  });
  for (let n = 0; n < 20; n += 1) expect(await ready()).toEqual([]);
  expect(writes).toBe(1);
  isBroken = true;
  await clock.advance(1000);
  expect(await ready()).toEqual(["The session store can't be written."]);
  expect(writes).toBe(2);
});
