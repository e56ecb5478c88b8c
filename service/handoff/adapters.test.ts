import { describe, expect, test } from "vitest";
import { createEnvironmentReader } from "../../shared/server/environment.ts";
import { MAX_HOOK_BYTES } from "../http/raw-request.ts";
import { openTestService, problemOf } from "../testing/test-service.ts";
import { ADAPTER_KINDS, configureAdapters } from "./adapters.ts";
import { type AdapterStage, describeAdapter } from "./testing/adapter-suite.ts";
import { createMailbox } from "./testing/mailbox-adapter.ts";

const STAGES: Readonly<Record<string, () => Omit<AdapterStage, "kind">>> = {
  desk: () => ({ env: {} }),
};

for (const kind of ADAPTER_KINDS) {
  const stage = STAGES[kind.id];
  if (!stage) throw new Error(`The adapter ${kind.id} has no stage in STAGES, so the suite can't run on it.`);
  describeAdapter(kind.id, () => ({ ...stage(), kind }));
}

// The desk sends and receives nothing, so a target that exists only in tests proves these two parts of the interface.
describeAdapter("mailbox", () => {
  const twin = createMailbox();
  return { kind: twin.kind, env: {}, twin };
});

describe("HANDOFF_ADAPTERS", () => {
  const configure = (env: Record<string, string>) => {
    const reader = createEnvironmentReader(env, () => {
      throw new Error("ENOENT");
    });
    const ids = configureAdapters(reader, [...ADAPTER_KINDS, createMailbox().kind]).map(({ id }) => id);
    return { ids, faults: reader.faults };
  };

  test("names adapters in order of preference; the default is the desk, and `none` means no adapter", () => {
    expect(configure({}).ids).toEqual(["desk"]);
    expect(configure({ HANDOFF_ADAPTERS: "mailbox,desk" }).ids).toEqual(["mailbox", "desk"]);
    expect(configure({ HANDOFF_ADAPTERS: "none" }).ids).toEqual([]);
  });

  test("an unknown name is refused with the list of known names", () => {
    const known = [...ADAPTER_KINDS.map(({ id }) => id), "mailbox"].join(", ");
    expect(configure({ HANDOFF_ADAPTERS: "pigeon" }).faults[0]?.fault).toContain(known);
  });
});

describe("POST /hooks/handoff/ADAPTER", () => {
  const post = { method: "POST", body: "{}" };

  test("is 404 for an adapter that is unknown, not configured, or takes no calls", async () => {
    const t = await openTestService();
    for (const name of ["pigeon", "mailbox", "desk"]) {
      expect((await problemOf(await t.request(`/hooks/handoff/${name}`, post))).code).toBe("not_found");
    }
  });

  test("refuses a body over its limit, whatever length it announces", async () => {
    const adapter = createMailbox()
      .kind.configure(createEnvironmentReader({}, () => ""))
      .open({ clock: { now: Date.now, after: () => () => undefined, every: () => () => undefined }, fetch });
    const t = await openTestService({ adapters: [adapter] });
    const body = "x".repeat(MAX_HOOK_BYTES + 1);
    const answer = await t.request("/hooks/handoff/mailbox", { method: "POST", body });
    expect((await problemOf(answer)).code).toBe("body_too_large");
  });
});
