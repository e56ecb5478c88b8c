import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createTestBff } from "../bff/testing/test-bff.ts";
import { startEmbeddedService } from "../service/embedded.ts";
import { createMemoryLog } from "../service/testing/memory-log.ts";
import type { Log } from "../shared/server/log.ts";

/** What docs/observability.md says about a person, field by field. */
function aboutPeople(): ReadonlyMap<string, string> {
  const text = readFileSync(new URL("../docs/observability.md", import.meta.url), "utf8");
  const [, section = ""] = text.split(/^## Log entries$/m);
  const rows = [...section.matchAll(/^\| (`.*?) \|.*\| ([^|]*) \|$/gm)];
  return new Map(
    rows.flatMap(([, names = "", about = ""]) =>
      [...names.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => [name, about] as const),
    ),
  );
}

/** They differ from one entry to the next, whoever is there. */
const CLOCKS = new Set(["time", "ms"]);

/** Both servers with one log. `play` returns the entries that one customer's visit leaves. */
async function openServers() {
  const log = createMemoryLog();
  const dataDir = mkdtempSync(join(tmpdir(), "parley-log-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const service = await startEmbeddedService({ dataDir, env: {}, log: log as Log });
  onTestFinished(() => service.close());
  const bff = createTestBff({
    service: service.app,
    log: log as Log,
    env: { APPLICATION_CREDENTIAL: service.credential, APPLICATION_PUBLIC_KEY: service.publicKey },
  });
  return async (name: string): Promise<Record<string, unknown>[]> => {
    const before = log.text().length;
    const email = `${name}@example.com`;
    const session = await bff.post("/api/session", { traits: { name, email, plan: name } });
    const { token } = (await session.json()) as { token: string };
    const say = (path: string, body: object) => bff.post(`/api/conversation${path}`, body, token);
    const answers = [
      await say("", { clientMessageId: `${name}-1`, body: `I am ${name}, ${email}.` }),
      await say("/handoff", {}),
      await say("/messages", { clientMessageId: `${name}-2`, body: `My card: ${name}` }),
      await say(`/messages?who=${name}`, { clientMessageId: name, body: 7, [name]: name }),
      await say("/contact", { email }),
      await bff.request("GET", `/api/${name}`, { token: `${name}-token` }),
      await bff.post("/api/session", `${name}, no JSON object`),
      await bff.request("DELETE", "/api/conversation", { token }),
      await bff.request("DELETE", "/api/session", { token }),
    ];
    expect([session, ...answers].map(({ status }) => status)).toEqual([
      201, 201, 201, 201, 400, 200, 404, 400, 200, 200,
    ]);
    return log
      .text()
      .slice(before)
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  };
}

const valuesOf = (entries: readonly Record<string, unknown>[], field: string) =>
  [...new Set(entries.flatMap((entry) => (field in entry ? [JSON.stringify(entry[field])] : [])))].sort();

it("OPS12 a field of the log that says nothing about a person has the same values for any two customers, and no field contains their text", async () => {
  const about = aboutPeople();
  const play = await openServers();
  const [ada, bob] = [await play("adacanary"), await play("bobcanary")];
  expect(JSON.stringify([ada, bob])).not.toMatch(/canary/i);
  const fields = [...new Set([...ada, ...bob].flatMap((entry) => Object.keys(entry)))];
  // The memory log's own name of `msg`.
  const documented = fields.filter((field) => field !== "message");
  for (const field of documented) expect([...about.keys()], field).toContain(field);
  const nothing = documented.filter((field) => about.get(field) === "nothing" && !CLOCKS.has(field));
  expect(nothing).toEqual(expect.arrayContaining(["level", "method", "route", "status", "calls", "outcome"]));
  for (const field of nothing) expect(valuesOf(ada, field), field).toEqual(valuesOf(bob, field));
  // Control: what the document says is about a person tells the two apart.
  for (const field of ["requestId", "who"]) {
    expect(about.get(field)).not.toBe("nothing");
    const both = [...valuesOf(ada, field), ...valuesOf(bob, field)];
    expect(new Set(both).size, field).toBe(both.length);
  }
});
