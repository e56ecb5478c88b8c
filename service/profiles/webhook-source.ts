import * as z from "zod/mini";
import { Failure } from "../../shared/errors.ts";
import { ExternalId, Instant } from "../../shared/id.ts";
import { parseJson } from "../../shared/json.ts";
import { readWebhookKey, verifyStandardWebhook } from "../http/standard-webhook.ts";
import type { SourceKind } from "./source-kind.ts";

/** The body of one call: https://www.standardwebhooks.com, "Payload structure". */
const Changed = z.object({
  type: z.literal("customer.changed"),
  timestamp: Instant,
  data: z.object({ externalId: ExternalId, traits: z.record(z.string(), z.unknown()) }),
});

/**
 * Replaces a secret that was refused, so that every other fault of the configuration is found too. Never used, because
 * such a start fails.
 */
const NO_KEY = Buffer.alloc(32);

/**
 * The plain signed form, for owners who send changes themselves: one change per call, signed as in Standard Webhooks.
 */
export const webhookKind: SourceKind = {
  kind: "webhook",
  configure(entry, reader) {
    const secret = reader.secret("secret");
    const key = secret === undefined ? undefined : readWebhookKey(secret);
    if (secret !== undefined && !key) reader.refuse("secret must be whsec_ and base64 of 24 to 64 bytes.");
    return ({ clock }) => ({
      ...entry,
      async receive(request) {
        const messageId = verifyStandardWebhook(request, key ?? NO_KEY, clock.now());
        const parsed = Changed.safeParse(parseJson(request.body));
        if (!parsed.success) throw new Failure("bad_request");
        const { timestamp, data } = parsed.data;
        return [{ ...data, at: Date.parse(timestamp), messageId }];
      },
    });
  },
};
