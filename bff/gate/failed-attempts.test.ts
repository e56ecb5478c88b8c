import { describe, expect, it } from "vitest";
import { json } from "../../service/testing/fake/fake-service.ts";
import { openIdentityBench } from "../testing/identity-bench.ts";

const MINUTE_MS = 60_000;

function open(env: Record<string, string>) {
  const bench = openIdentityBench({ env });
  const { bff, site, service } = bench;
  const start = async (body: object = {}) => (await bff.post("/api/session", body)).status;
  const signed = (exp?: number) =>
    start({ token: site.token({ claims: { sub: "ada", ...(exp ? { exp } : {}) } }) });
  const breakService = () => service.answer("sessions", () => json({}, 422));
  return { ...bench, start, signed, breakService };
}
const many = async (count: number, make: () => Promise<number>) => {
  const statuses = new Set<number>();
  for (let n = 0; n < count; n += 1) statuses.add(await make());
  return [...statuses];
};

describe("GATE6 the limits of new visitors", () => {
  it("a start that the service refused takes no visitor's place", async () => {
    const { start, breakService, service } = open({ LIMIT_SESSIONS_PER_ADDRESS: "3" });
    breakService();
    expect(await many(10, start)).toEqual([502]);
    service.mend("sessions");
    expect(await many(3, start)).toEqual([201]);
    expect(await start()).toBe(429);
  });

  it("a malformed request takes no visitor's place", async () => {
    const { start } = open({ LIMIT_SESSIONS_PER_ADDRESS: "1" });
    expect(await many(5, () => start({ nonsense: 1 }))).toEqual([400]);
    expect(await start()).toBe(201);
  });

  it("a start that the network's limit refused takes none of its address", async () => {
    const { start, clock, bff } = open({ LIMIT_SESSIONS_PER_ADDRESS: "2", LIMIT_SESSIONS_PER_NETWORK: "2" });
    const from = (remoteAddress: string) =>
      bff.request("POST", "/api/session", {
        headers: { "content-type": "application/json" },
        body: "{}",
        env: { incoming: { socket: { remoteAddress } } },
      });
    for (const address of ["198.51.100.1", "198.51.100.2"]) expect((await from(address)).status).toBe(201);
    await clock.advance(MINUTE_MS / 2);
    for (let n = 0; n < 5; n += 1) expect((await from("198.51.100.3")).status).toBe(429);
    await clock.advance(MINUTE_MS / 2);
    expect(await many(2, async () => (await from("198.51.100.3")).status)).toEqual([201]);
    expect(await start()).toBe(201);
  });

  it("a refused token takes no place of a customer with a good one", async () => {
    const { signed } = open({ LIMIT_IDENTITIES_PER_ADDRESS: "2" });
    expect(await many(10, () => signed(1))).toEqual([401]);
    expect(await many(2, signed)).toEqual([201]);
    expect(await signed()).toBe(429);
  });

  it("attempts that fail have a limit of their own", async () => {
    const { start, signed, breakService, clock, service } = open({ LIMIT_ATTEMPTS_PER_ADDRESS: "4" });
    breakService();
    expect(await many(2, start)).toEqual([502]);
    expect(await many(2, () => signed(1))).toEqual([401]);
    expect([await start(), await signed()]).toEqual([429, 429]);
    service.mend("sessions");
    await clock.advance(MINUTE_MS);
    expect(await start()).toBe(201);
  });

  it("starts at the same time get no more places than starts one after the other", async () => {
    const { start } = open({ LIMIT_SESSIONS_PER_ADDRESS: "3" });
    const statuses = await Promise.all(Array.from({ length: 9 }, () => start()));
    expect(statuses.filter((status) => status === 201)).toHaveLength(3);
  });
});

describe("GATE7 forwarded addresses without TRUSTED_PROXIES", () => {
  const WARNING = "Forwarded addresses arrive, and TRUSTED_PROXIES is unset";
  const notesOf = async ({ bff }: ReturnType<typeof open>) =>
    ((await (await bff.request("GET", "/readyz")).json()) as { notes: string[] }).notes;
  const warnings = ({ bff }: ReturnType<typeof open>) => bff.lines.filter((line) => line.includes(WARNING));

  it.each([
    ["x-forwarded-for", "203.0.113.7"],
    ["forwarded", "for=203.0.113.7"],
    ["x-real-ip", "203.0.113.7"],
  ])("%s is reported once in the log, and in /readyz", async (name, value) => {
    const bench = open({});
    expect(await notesOf(bench)).toEqual([]);
    for (let n = 0; n < 3; n += 1)
      await bench.bff.request("GET", "/api/config", { headers: { [name]: value } });
    expect(await notesOf(bench)).toEqual([expect.stringContaining(WARNING)]);
    expect(warnings(bench)).toHaveLength(1);
    expect(bench.bff.lines.join("")).not.toContain("203.0.113.7");
  });

  it("a proxy's own look at /readyz is enough", async () => {
    const bench = open({});
    await bench.bff.request("GET", "/readyz", { headers: { "x-forwarded-for": "203.0.113.7" } });
    expect(await notesOf(bench)).toEqual([expect.stringContaining(WARNING)]);
  });

  it.each(["0", "1"])("with TRUSTED_PROXIES=%s nothing is reported", async (count) => {
    const bench = open({ TRUSTED_PROXIES: count });
    await bench.bff.request("GET", "/api/config", { headers: { "x-forwarded-for": "203.0.113.7" } });
    expect([await notesOf(bench), warnings(bench)]).toEqual([[], []]);
  });
});
