import { test } from "@playwright/test";
import { ACTS, nothing } from "./kit/acts.ts";
import { useStage } from "./kit/fault-groups.ts";
import { meet } from "./kit/meet-faults.ts";
import { meetOnOpening } from "./kit/meet-on-opening.ts";
import type { Endpoint } from "./upstream/endpoint.ts";

test.describe.configure({ mode: "parallel" });

/** The call at which the address breaks, and the calls that the service answers before that. */
const BROKEN_BEHIND: readonly (readonly [Endpoint, Endpoint?])[] = [
  ["identify"],
  ["sessions", "identify"],
  ["supportSelection", "capabilities"],
];

test.describe("a service behind TLS", () => {
  const stage = useStage({ kind: "full", tls: true });

  for (const act of ACTS) {
    // A fault of the address affects every call: an earlier call would fail as well.
    if (act.endpoint === "turns" && act.before === nothing) continue;
    test(`${act.rule} ${act.name}, ${act.endpoint}: tls-error`, async ({ browser }) => {
      await meet(stage(), browser, [act], ["tls-error"]);
    });
  }

  for (const [endpoint, after] of BROKEN_BEHIND) {
    test(`a session, ${endpoint}: tls-error`, async ({ browser }) => {
      await meetOnOpening(stage(), browser, endpoint, ["tls-error"], after);
    });
  }
});

test.describe("a service behind TLS with only the older selection", () => {
  const stage = useStage({ kind: "provider-only", tls: true });

  test("a session, providerSelection: tls-error", async ({ browser }) => {
    await meetOnOpening(stage(), browser, "providerSelection", ["tls-error"], "supportSelection");
  });
});
