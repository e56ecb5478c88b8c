import { afterAll, describe, expect, test } from "vitest";
import { type Client, createClient, type Facts } from "../e2e/contract/client.ts";
import { TargetError } from "../e2e/contract/environment.ts";
import {
  describeAttachments,
  describeErase,
  describeLink,
  describeRating,
  describeRead,
  describeTyping,
} from "../e2e/contract/extras.ts";
import {
  describeEvents,
  describeIdempotency,
  describeMessages,
  describeTurns,
} from "../e2e/contract/optional.ts";
import { openTarget, type Target } from "../e2e/contract/target.ts";
import { describeTheSeven } from "../e2e/contract/the-seven.ts";

/**
 * The contract, asked of a service over HTTP: of the one that `BASE_URL` names, with the variables that a BFF has, or else
 * of our own. What a service does not declare is not asked of it.
 */
const asked = await ask().catch((error: unknown) => {
  if (error instanceof TargetError) return error;
  throw error;
});

if (asked instanceof TargetError) {
  test("the service can be asked", () => {
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
  const has = (...names: string[]) => names.every((name) => declared.includes(name));

  describe(`the service at ${target.baseUrl}`, () => {
    test(`declares: ${declared.join(", ") || "the seven endpoints alone"}`, () => {
      expect(new Set(declared).size).toBe(declared.length);
    });

    describeTheSeven(client, facts);
    if (has("turns")) describeTurns(client);
    if (has("turns", "idempotency")) describeIdempotency(client);
    if (has("turns", "messages")) describeMessages(client);
    if (has("turns", "events")) describeEvents(client);
    if (has("turns", "attachments")) describeAttachments(client);
    if (has("turns", "read")) describeRead(client);
    if (has("events", "typing")) describeTyping(client);
    if (has("rating")) describeRating(client);
    if (has("erase")) describeErase(client, has("turns", "messages"));
    if (has("link")) describeLink(client);
  });
}
