import { expect, it } from "vitest";
import { createFakeService } from "../../service/testing/fake/fake-service.ts";
import { createTestBff } from "../testing/test-bff.ts";

it("each call to the service carries the request's id, and nothing of the browser's trace", async () => {
  const service = createFakeService();
  const bff = createTestBff({ service });
  await bff.request("POST", "/api/session", {
    headers: { "content-type": "application/json", traceparent: "00-canary", tracestate: "vendor=canary" },
    body: "{}",
  });
  const entry = JSON.parse(bff.lines.at(-1) ?? "") as { requestId: string };
  const ids = service.seen.map(({ headers }) => headers["x-request-id"]);
  expect(ids.length).toBeGreaterThan(2);
  expect(new Set(ids)).toEqual(new Set([entry.requestId]));
  expect(entry).toMatchObject({ calls: ids.length, outcome: "ok" });
  expect(JSON.stringify([service.seen, bff.lines])).not.toContain("canary");
});
