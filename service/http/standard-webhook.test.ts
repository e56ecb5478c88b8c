import { describe, expect, test } from "vitest";
import { readWebhookKey, verifyStandardWebhook } from "./standard-webhook.ts";

// The specification's own vector: standard-webhooks/libraries/javascript/src/webhook.test.ts.
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const SENT = 1_614_265_330;
const GOOD = {
  "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
  "webhook-timestamp": String(SENT),
  "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
};
const BODY = '{"test": 2432232314}';

function verify(headers: Record<string, string> = {}, { body = BODY, now = SENT * 1000 } = {}) {
  const key = readWebhookKey(SECRET);
  if (!key) throw new Error("the secret of the vector was refused");
  const given = Object.entries({ ...GOOD, ...headers }).filter(([, value]) => value !== "");
  return verifyStandardWebhook({ headers: new Headers(given), body: Buffer.from(body) }, key, now);
}

describe("a Standard Webhooks call", () => {
  test("with the specification's test vector returns its id", () => {
    expect(verify()).toBe(GOOD["webhook-id"]);
  });

  test("may carry several signatures, one of which must match", () => {
    const good = GOOD["webhook-signature"];
    expect(verify({ "webhook-signature": `v1,AAAA v1a,AAAA ${good}` })).toBe(GOOD["webhook-id"]);
  });

  test.each<[string, Record<string, string>]>([
    ["without an id", { "webhook-id": "" }],
    ["without a time", { "webhook-timestamp": "" }],
    ["without a signature", { "webhook-signature": "" }],
    ["with another id", { "webhook-id": "msg_other" }],
    ["with a dot in its id", { "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek.1" }],
    ["with another time", { "webhook-timestamp": String(SENT + 1) }],
    ["with a time that is no number", { "webhook-timestamp": "soon" }],
    [
      "with a signature of another version",
      { "webhook-signature": GOOD["webhook-signature"].replace("v1", "v2") },
    ],
    ["with half a signature", { "webhook-signature": "v1,g0hM9SsE+OTPJTGt" }],
  ])("%s is refused", (_name, headers) => {
    expect(() => verify(headers)).toThrow(expect.objectContaining({ code: "unauthenticated" }));
  });

  test("with a changed byte in its body is refused", () => {
    expect(() => verify({}, { body: `${BODY} ` })).toThrow(
      expect.objectContaining({ code: "unauthenticated" }),
    );
  });

  test.each([-301, 301])(
    "%i seconds away from now is refused, and within five minutes it is not",
    (seconds) => {
      const now = (SENT + seconds) * 1000;
      expect(() => verify({}, { now })).toThrow(expect.objectContaining({ code: "unauthenticated" }));
      expect(verify({}, { now: (SENT + Math.sign(seconds) * 300) * 1000 })).toBe(GOOD["webhook-id"]);
    },
  );

  test.each(["", "whsec_", "whsec_c2hvcnQ=", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_%%"])(
    "a malformed secret is rejected: %j",
    (secret) => {
      expect(readWebhookKey(secret)).toBeUndefined();
    },
  );
});
