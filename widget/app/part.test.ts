import { signal } from "@preact/signals";
import { describe, expect, it } from "vitest";
import type { Environment } from "./environment.ts";
import { createPart, fetchPinned } from "./part.ts";
import { createManualTime, settle } from "./testing/manual-time.ts";

const using = (fetch: Environment["fetch"], time = createManualTime()) => ({ ...time, fetch });

describe("PART1 a part of the panel", () => {
  it("is requested when it is needed, once, and retried until it is loaded", async () => {
    const time = { ...createManualTime(), random: () => 0.5 };
    let tries = 0;
    const part = createPart(async () => {
      tries += 1;
      if (tries < 3) throw new TypeError("no network");
      return "drawn";
    }, time);
    expect(tries).toBe(0);
    part.want();
    part.want();
    await settle();
    expect([tries, part.it.value]).toEqual([1, undefined]);
    await time.advance(60_000);
    expect([tries, part.it.value]).toEqual([3, "drawn"]);
  });

  it("is fetched with its pinned hash, and one that can't be loaded is a failure", async () => {
    const asked: unknown[] = [];
    const map = JSON.stringify({ integrity: { "/assets/a.js": "sha384-x" } });
    const fetch: Environment["fetch"] = (path, init) => {
      asked.push([path, init.integrity]);
      return Promise.resolve(new Response("code"));
    };
    await fetchPinned(using(fetch), map);
    expect(asked).toEqual([["/assets/a.js", "sha384-x"]]);
    const refused = () => Promise.reject(new TypeError("integrity"));
    await expect(fetchPinned(using(refused), map)).rejects.toThrow(TypeError);
    await expect(fetchPinned(using(refused), "")).resolves.toBeUndefined();
  });

  it("PART2 is gone when the server no longer has its file, and only until it is loaded", async () => {
    const map = JSON.stringify({ integrity: { "/assets/a.js": "sha384-x" } });
    const gone = signal<ReadonlySet<string>>(new Set());
    const answering = (status: number) => (_: string, init: RequestInit) =>
      init.integrity
        ? Promise.reject(new TypeError("integrity"))
        : Promise.resolve(new Response("", { status }));
    for (const [status, expected] of [
      [404, true],
      [200, false],
      [404, true],
      [503, false],
      [404, true],
    ] as const) {
      await expect(fetchPinned(using(answering(status)), map, "", gone)).rejects.toThrow("integrity");
      expect(gone.value.size > 0, `${status}`).toBe(expected);
    }
    await fetchPinned(
      using(() => Promise.resolve(new Response("code"))),
      map,
      "",
      gone,
    );
    expect(gone.value.size).toBe(0);
  });

  it("PART2 stays gone while another part's files can be loaded", async () => {
    const map = JSON.stringify({ integrity: { "/a-part-1.js": "sha384-x", "/b-part-1.js": "sha384-y" } });
    const gone = signal<ReadonlySet<string>>(new Set());
    const fetch = (path: string, { integrity }: RequestInit) =>
      path.startsWith("/a") && integrity
        ? Promise.reject(new TypeError("integrity"))
        : Promise.resolve(new Response("", { status: path.startsWith("/a") ? 404 : 200 }));
    await expect(fetchPinned(using(fetch), map, "/a-part", gone)).rejects.toThrow("integrity");
    await fetchPinned(using(fetch), map, "/b-part", gone);
    expect([...gone.value]).toEqual(["/a-part-1.js"]);
  });

  it("whose connection stalls is requested again on another one", async () => {
    const map = JSON.stringify({ integrity: { "/assets/a.js": "sha384-x" } });
    const time = { ...createManualTime(), random: () => 0.5 };
    let tries = 0;
    const stalling: Environment["fetch"] = (_, { signal }) => {
      if (signal?.aborted) return Promise.reject(new DOMException("", "AbortError"));
      tries += 1;
      if (tries > 1) return Promise.resolve(new Response("code"));
      return new Promise((_resolve, reject) => signal?.addEventListener("abort", reject));
    };
    const gone = signal<ReadonlySet<string>>(new Set());
    const part = createPart(async () => {
      await fetchPinned(using(stalling, time), map, "", gone);
      return "drawn";
    }, time);
    part.want();
    await time.advance(60_000);
    expect([part.it.value, gone.value.size]).toEqual(["drawn", 0]);
  });

  it("whose file needs longer than that gets more time with each attempt", async () => {
    const map = JSON.stringify({ integrity: { "/assets/a.js": "sha384-x" } });
    const time = { ...createManualTime(), random: () => 0.5 };
    const slow: Environment["fetch"] = (_, { signal }) =>
      new Promise((resolve, reject) => {
        signal?.addEventListener("abort", reject);
        time.setTimer(() => resolve(new Response("code")), 70_000);
      });
    const part = createPart(async (patience) => {
      await fetchPinned(using(slow, time), map, "", undefined, patience);
      return "drawn";
    }, time);
    part.want();
    await time.advance(300_000);
    expect(part.it.value).toBe("drawn");
  });

  it("that was altered on its way into the browser's cache is replaced there", async () => {
    const map = JSON.stringify({ integrity: { "/assets/a.js": "sha384-x" } });
    let cached = "code /* and an advertisement */";
    const throughCache: Environment["fetch"] = (_, { cache, integrity }) => {
      if (cache === "reload") cached = "code";
      if (integrity && cached !== "code") return Promise.reject(new TypeError("integrity"));
      return Promise.resolve(new Response(cached));
    };
    const time = { ...createManualTime(), random: () => 0.5 };
    const gone = signal<ReadonlySet<string>>(new Set());
    const part = createPart(async () => {
      await fetchPinned(using(throughCache, time), map, "", gone);
      return "drawn";
    }, time);
    part.want();
    await time.advance(60_000);
    expect(part.it.value).toBe("drawn");
  });
});
