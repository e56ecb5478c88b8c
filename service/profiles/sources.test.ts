import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createEnvironmentReader } from "../../shared/server/environment.ts";
import { createManualClock } from "../testing/manual-clock.ts";
import { openTestService } from "../testing/test-service.ts";
import type { ProfileSource } from "./source.ts";
import { configureSources, SOURCE_KINDS } from "./sources.ts";
import { describeSource, type SourceStage } from "./testing/source-suite.ts";

const KEY = Buffer.alloc(32, 7);
const SECRET = `whsec_${KEY.toString("base64")}`;

const WRONG_SIGNATURE = "No signature in webhook-signature is accepted for this id, time and body.";
const WRONG_TIME =
  "The webhook-id or the webhook-timestamp is not accepted: a call is valid for five minutes.";

const STAGES: Readonly<Record<string, SourceStage>> = {
  webhook: {
    entry: { secret: SECRET },
    call({ externalId, traits, at, messageId }, now) {
      const timestamp = new Date(at).toISOString();
      const body = Buffer.from(
        JSON.stringify({ type: "customer.changed", timestamp, data: { externalId, traits } }),
      );
      const sent = Math.floor(now / 1000);
      const mac = createHmac("sha256", KEY).update(`${messageId}.${sent}.`).update(body).digest("base64");
      return {
        method: "POST",
        headers: {
          "webhook-id": messageId,
          "webhook-timestamp": String(sent),
          "webhook-signature": `v1,${mac}`,
        },
        body,
      };
    },
  },
};

for (const { kind } of SOURCE_KINDS) {
  const stage = STAGES[kind];
  if (!stage)
    throw new Error(`The source kind ${kind} has no stage in STAGES, so the suite can't run on it.`);
  describeSource(kind, stage);
}

describe("PROFILE_SOURCES", () => {
  const files: Record<string, string> = { "/run/secrets/crm": `${SECRET}\n` };
  const readFile = (path: string) => {
    const text = files[path];
    if (text === undefined) throw Object.assign(new Error("no such file"), { code: "ENOENT" });
    return text;
  };
  const faultsOf = (value: unknown) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const reader = createEnvironmentReader({ PROFILE_SOURCES: text }, readFile);
    configureSources(reader);
    return reader.faults.map(({ fault }) => fault);
  };
  const crm = { name: "crm", kind: "webhook", secret: SECRET, traits: ["plan"] };

  test("takes a list, a path, and a secret in a file", () => {
    files["/etc/sources.json"] = JSON.stringify([crm]);
    expect(faultsOf([crm])).toEqual([]);
    expect(faultsOf("/etc/sources.json")).toEqual([]);
    expect(faultsOf([{ ...crm, secret: undefined, secretFile: "/run/secrets/crm" }])).toEqual([]);
  });

  test.each<[string, unknown]>([
    ["text that is no list", "{"],
    ["a path that can't be read", "/nowhere.json"],
    ["a name that no address may have", [{ ...crm, name: "CRM/../x" }]],
    ["an unknown kind", [{ ...crm, kind: "pigeon" }]],
    ["a missing secret", [{ ...crm, secret: undefined }]],
    ["a secret in both forms", [{ ...crm, secretFile: "/run/secrets/crm" }]],
    ["a secret file that can't be read", [{ ...crm, secret: undefined, secretFile: "/nowhere" }]],
    ["a secret of another form", [{ ...crm, secret: "canary-secret" }]],
    ["the name of a secret as a trait", [{ ...crm, traits: ["password"] }]],
    ["a trait that only the BFF sets", [{ ...crm, traits: ["identified"] }]],
    ["a trait that only the page sets", [{ ...crm, traits: ["page.plan"] }]],
    ["one name twice", [crm, crm]],
  ])("refuses %s, in one sentence without the secret", (_name, value) => {
    const faults = faultsOf(value);
    expect(faults).toHaveLength(1);
    expect(faults.join()).not.toMatch(/canary|whsec_[A-Za-z0-9]/);
  });

  test("says why a secret's file can't be read", () => {
    expect(faultsOf([{ ...crm, secret: undefined, secretFile: "/nowhere" }])).toEqual([
      "crm: secretFile names a file that can't be read (ENOENT).",
    ]);
  });

  test("reports every entry's fault at once", () => {
    expect(
      faultsOf([
        { ...crm, kind: "pigeon" },
        { ...crm, name: "b", secret: "x" },
        { ...crm, name: "C", traits: ["identified"] },
      ]),
    ).toEqual([
      expect.stringMatching(/^2\.name: must be/),
      expect.stringMatching(/^2\.traits: must be/),
      expect.stringMatching(/^crm: kind must be/),
      expect.stringMatching(/^b: /),
    ]);
  });
});

describe("POST /hooks/profiles/NAME", () => {
  const source = (workspace?: string): ProfileSource => ({
    name: "crm",
    traits: ["plan"],
    workspace,
    receive: async () => [{ externalId: "ann", traits: { plan: "pro" }, at: 1, messageId: "m" }],
  });
  const post = { method: "POST", body: "{}" };

  test("says why a webhook is refused", async () => {
    const list = [{ name: "crm", kind: "webhook", traits: ["plan"], secret: SECRET }];
    const reader = createEnvironmentReader({ PROFILE_SOURCES: JSON.stringify(list) }, () => "");
    const clock = createManualClock();
    const sources = configureSources(reader).map((open) => open({ clock }));
    const t = await openTestService({ sources });
    const change = { externalId: "ann", traits: { plan: "pro" }, at: clock.now(), messageId: "m" };
    const call = STAGES["webhook"]?.call(change, clock.now());
    const answer = async (init: RequestInit) => (await t.request("/hooks/profiles/crm", init)).json();
    const code = "unauthenticated";
    expect(await answer({ ...call, body: "{}" })).toMatchObject({ code, detail: WRONG_SIGNATURE });
    clock.advance(301_000);
    expect(await answer({ ...call })).toMatchObject({ code, detail: WRONG_TIME });
  });

  test("is 404 for a name that is not configured", async () => {
    const t = await openTestService({ sources: [source()] });
    expect((await t.request("/hooks/profiles/other", post)).status).toBe(404);
    expect((await t.request("/hooks/profiles/crm", post)).status).toBe(200);
  });

  test("with several workspaces a source must name its workspace; without one it takes no calls", async () => {
    const t = await openTestService({ sources: [source()] });
    await t.addWorkspace("two");
    expect((await t.request("/hooks/profiles/crm", post)).status).toBe(503);
    const named = await openTestService({ sources: [source("two")] });
    await named.addWorkspace("two");
    expect((await named.request("/hooks/profiles/crm", post)).status).toBe(200);
  });
});
