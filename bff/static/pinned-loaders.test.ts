import { expect, it } from "vitest";
import { createFakeService } from "../../service/testing/fake/fake-service.ts";
import type { PublicConfig } from "../../shared/api/config.ts";
import { Failure } from "../../shared/errors.ts";
import { systemClock } from "../../shared/server/clock.ts";
import { etagOf } from "../../shared/server/static-files.ts";
import { integrityOf } from "../../widget/pin-html.ts";
import { createSqliteStore } from "../store/sqlite-store.ts";
import { createTestBff } from "../testing/test-bff.ts";

const DAY_MS = 86_400_000;

/** Versions of the product that run one after the other, or beside each other, on one store. */
function openHost() {
  let now = Date.now();
  const clock = { ...systemClock, now: () => now };
  const wait = (days: number) => {
    now += days * DAY_MS;
  };
  const store = createSqliteStore(":memory:", { clock });
  async function upgradeTo(version: string, code: string) {
    const plain = new Uint8Array(Buffer.from(code));
    const loader = { mediaType: "text/javascript; charset=utf-8", etag: etagOf(plain), plain };
    const frame = '<meta name="parley-origins" content="">';
    const files = { loader, frame, assets: new Map() };
    const bff = createTestBff({ service: createFakeService(), store, clock, version, files });
    await bff.bff.storeLoader();
    const get = (path: string) => bff.request("GET", path, { headers: { "accept-encoding": "" } });
    const { loader: pinned } = (await (await get("/api/config")).json()) as PublicConfig;
    return { get, pinned, path: new URL(pinned.url).pathname };
  }
  return { wait, store, upgradeTo };
}

it("FILE1 a pinned tag outlives upgrades, with the bytes that its hash names", async () => {
  const { upgradeTo } = openHost();
  const first = await upgradeTo("1.0.0", "first()");
  await upgradeTo("1.1.0", "second()");
  const third = await upgradeTo("2.0.0", "third()");
  const answer = await third.get(first.path);
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect([answer.status, bytes.toString()]).toEqual([200, "first()"]);
  expect(integrityOf(bytes)).toBe(first.pinned.integrity);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "cache-control": "public, max-age=31536000, immutable",
    "access-control-allow-origin": "*",
    "content-type": "text/javascript; charset=utf-8",
  });
  expect(await (await third.get("/widget.js")).text()).toBe("third()");
  expect(await (await third.get(third.path)).text()).toBe("third()");
});

it("FILE1 two builds of one version have two addresses, and during a rolling upgrade both servers have both", async () => {
  const { upgradeTo } = openHost();
  const [one, two] = [await upgradeTo("1.0.0", "one()"), await upgradeTo("1.0.0", "two()")];
  expect(one.path).not.toBe(two.path);
  for (const { get } of [one, two])
    expect([await (await get(one.path)).text(), await (await get(two.path)).text()]).toEqual([
      "one()",
      "two()",
    ]);
});

it("FILE1 a loader that could not be stored at the start is stored when a page asks for it", async () => {
  const { store, upgradeTo } = openHost();
  const write = store.write.bind(store);
  store.write = () => Promise.reject(new Failure("unavailable"));
  const first = await upgradeTo("1.0.0", "first()");
  expect((await first.get(first.path)).status).toBe(200);
  store.write = write;
  expect((await first.get(first.path)).status).toBe(200);
  // The write is finished before one that comes after it.
  await store.write([{ key: "other", value: null }]);
  expect(await (await (await upgradeTo("1.1.0", "second()")).get(first.path)).text()).toBe("first()");
});

it("FILE1 a changed store can't put other bytes under a pinned address", async () => {
  const { store, upgradeTo } = openHost();
  const first = await upgradeTo("1.0.0", "first()");
  const key = `loader:${first.pinned.version}`;
  await store.write([{ key, value: JSON.stringify("evil()"), lifeMs: DAY_MS }]);
  expect((await (await upgradeTo("1.1.0", "second()")).get(first.path)).status).toBe(404);
  await store.write([{ key, value: "{}", lifeMs: DAY_MS }]);
  expect((await (await upgradeTo("1.2.0", "third()")).get(first.path)).status).toBe(404);
});

it("FILE1 an address answers for as long as pages ask for it", async () => {
  const { wait, store, upgradeTo } = openHost();
  const first = await upgradeTo("1.0.0", "first()");
  const unused = await upgradeTo("1.1.0", "unused()");
  const last = async (n: number) => upgradeTo(`2.${n}.0`, "last()");
  for (let n = 0; n < 3; n += 1) {
    wait(300);
    expect((await (await last(n)).get(first.path)).status).toBe(200);
    // Writes that the store got meanwhile are finished before the next wait.
    await store.write([{ key: "other", value: null }]);
  }
  expect((await (await last(9)).get(unused.path)).status).toBe(404);
});
