import { afterAll, describe, expect, test } from "vitest";
import { type Client, createClient, type Facts } from "../e2e/contract/client.ts";
import { TargetError } from "../e2e/contract/environment.ts";
import { describeExtras } from "../e2e/contract/extras.ts";
import {
  describeEvents,
  describeIdempotency,
  describeMessages,
  describeTurns,
} from "../e2e/contract/optional.ts";
import { openTarget, type Target } from "../e2e/contract/target.ts";
import { describeTheSeven } from "../e2e/contract/the-seven.ts";
import type { Capability } from "../shared/capability.ts";

/**
 * Checks the contract over HTTP against the service that `BASE_URL` names, with the same variables as a BFF, or else
 * against our own. Capabilities that a service does not declare are not tested.
 */
const asked = await ask().catch((error: unknown) => {
  if (error instanceof TargetError) return error;
  throw error;
});

if (asked instanceof TargetError) {
  test("the service can be reached", () => {
    throw asked;
  });
} else {
  afterAll(() => asked.target.close());
  describeContract(asked);
}

async function ask(): Promise<{ target: Target; client: Client; facts: Facts }> {
  const target = await openTarget(process.env);
  const client = createClient(target);
  return { target, client, facts: await client.readFacts() };
}

function describeContract({ target, client, facts }: { target: Target; client: Client; facts: Facts }): void {
  const declared = facts.capabilities;
  const has = (...names: Capability[]) => names.every((name) => declared.includes(name));

  describe(`the service at ${target.baseUrl}`, () => {
    test(`declares: ${declared.join(", ") || "only the seven endpoints"}`, () => {
      expect(new Set(declared).size).toBe(declared.length);
      expect(has("turns") || !has("events"), "without turns, events carry no message").toBe(true);
    });

    describeTheSeven(client, facts);
    if (has("turns")) describeTurns(client);
    if (has("turns", "idempotency")) describeIdempotency(client);
    if (has("turns", "messages")) describeMessages(client);
    if (has("turns", "events")) describeEvents(client, has("messages"));
    describeExtras(client, has);
  });
}
