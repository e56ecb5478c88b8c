import { expect, test } from "vitest";
import { createTestBff } from "../testing/test-bff.ts";

const NOTE = "The pages are two days old.";
const silent = { fetch: () => Promise.reject(new Error("no call is made")) };

test("/readyz repeats the notes of the service in this process, and stays 200", async () => {
  const bff = createTestBff({ service: silent, supportNotes: () => [NOTE] });
  const answer = await bff.request("GET", "/readyz");
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ status: "ok", notes: [NOTE] });
});
