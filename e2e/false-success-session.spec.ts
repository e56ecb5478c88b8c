import { test } from "@playwright/test";
import { ENDLESS, faultsAt, useStage } from "./kit/fault-groups.ts";
import { meetOnOpening, waitTogether } from "./kit/meet-on-opening.ts";
import type { Endpoint } from "./upstream/endpoint.ts";

test.describe.configure({ mode: "parallel" });

/** The steps of starting a session: what is written meanwhile waits, and nothing is claimed about it. */
const SESSION_ENDPOINTS: readonly Endpoint[] = ["identify", "sessions", "supportSelection"];

test.describe("a whole service", () => {
  const stage = useStage({ kind: "full" });

  test(`a session, ${SESSION_ENDPOINTS.join(", ")}: ${ENDLESS}`, async ({ browser }) => {
    await waitTogether(stage(), browser, SESSION_ENDPOINTS, ENDLESS);
  });

  for (const endpoint of SESSION_ENDPOINTS) {
    const faults = faultsAt(endpoint);
    test(`a session, ${endpoint}: ${faults.join(", ")}`, async ({ browser }) => {
      await meetOnOpening(stage(), browser, endpoint, faults);
    });
  }
});

test.describe("a service with only the older selection", () => {
  const stage = useStage({ kind: "provider-only" });

  const faults = faultsAt("providerSelection");
  test(`a session, providerSelection: ${faults.join(", ")}`, async ({ browser }) => {
    await meetOnOpening(stage(), browser, "providerSelection", faults);
  });

  test(`a session, providerSelection: ${ENDLESS}`, async ({ browser }) => {
    await waitTogether(stage(), browser, ["providerSelection"], ENDLESS);
  });
});
