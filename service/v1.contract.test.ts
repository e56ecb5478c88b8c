import { afterAll, describe, expect, test } from "vitest";
import { createClient } from "./contract/client.ts";
import { describeEvents, describeIdempotency, describeMessages, describeTurns } from "./contract/optional.ts";
import { openTarget } from "./contract/target.ts";
import { describeTheSeven } from "./contract/the-seven.ts";

/**
 * The contract, asked of a service over HTTP: of the one that `BASE_URL` and `APPLICATION_CREDENTIAL` name, or else of
 * our own. What a service does not declare is not asked of it.
 */
const target = await openTarget(process.env);
afterAll(() => target.close());

const client = createClient(target);
const declared = await client.readCapabilities();
const has = (...names: string[]) => names.every((name) => declared.includes(name));

describe(`the service at ${target.baseUrl}`, () => {
  test(`declares: ${declared.join(", ") || "the seven endpoints alone"}`, () => {
    expect(new Set(declared).size).toBe(declared.length);
  });

  describeTheSeven(client);
  if (has("turns")) describeTurns(client);
  if (has("turns", "idempotency")) describeIdempotency(client);
  if (has("turns", "messages")) describeMessages(client);
  if (has("turns", "events")) describeEvents(client);
});
