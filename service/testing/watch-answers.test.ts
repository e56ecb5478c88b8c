import { Hono } from "hono";
import { expect, test } from "vitest";
import type { RequestFacts } from "../http/problems.ts";
import { watchAnswers } from "./watch-answers.ts";

const HEADERS = {
  publicKeyHeader: "x-public-key",
  handoffSecretHeader: "x-handoff-secret",
  handoffSecrets: [],
};

/** The reported deviations of a service with this answer to `GET /v1/support/capabilities`, and the answer itself. */
async function watch(body: unknown, status: 200 | 202) {
  const app = new Hono<RequestFacts>().get("/v1/support/capabilities", (c) => c.json(body, status));
  const reported: string[] = [];
  watchAnswers(app, HEADERS, (sentence) => reported.push(sentence));
  const answer = await app.request("/v1/support/capabilities");
  return { reported, text: await answer.text() };
}

test("API1 a watched answer that the document describes passes unchanged (control)", async () => {
  expect(await watch({ capabilities: [] }, 200)).toEqual({ reported: [], text: '{"capabilities":[]}' });
});

test.each([
  [{ capabilities: [] }, 202, /answered 202, which .* does not describe/],
  [{ capabilities: [7] }, 200, /with a body that it does not describe/],
] as const)("API1 the watched answer %j with %i is reported", async (body, status, sentence) => {
  const { reported, text } = await watch(body, status);
  expect(reported).toEqual([expect.stringMatching(sentence)]);
  expect(text).toBe(JSON.stringify(body));
});
