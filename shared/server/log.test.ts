import { expect, test } from "vitest";
import { errorFacts } from "./log.ts";

test("the facts of an error hold its own frames, and no line of its message", () => {
  const facts = errorFacts(new TypeError("not JSON: Please deliver it\n  at canary street 5"));
  expect(facts["error"]).toBe("TypeError");
  expect(JSON.stringify(facts)).not.toContain("canary");
  expect((facts["at"] as string[])[0]).toContain("log.test.ts");
});
