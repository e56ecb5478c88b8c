import { describe, expect, test } from "vitest";
import { FAILURES, Failure, type FailureCode, Problem, problemOf } from "./errors.ts";

const CODES = Object.keys(FAILURES) as FailureCode[];

describe("failures", () => {
  test.each(CODES)("%s has a failure's status and a sentence that a person can act on", (code) => {
    const [status, title, detail] = FAILURES[code];
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(600);
    expect(title).not.toBe("");
    expect(detail).toMatch(/^[A-Z].*\.$/);
    expect(new Failure(code).status).toBe(status);
  });

  test.each(CODES)("%s becomes a problem that matches the schema", (code) => {
    const problem = problemOf(new Failure(code), "req_1");
    expect(Problem.parse(problem)).toEqual(problem);
    expect(problem).toMatchObject({ type: `urn:parley:problem:${code}`, code, requestId: "req_1" });
    expect(problem).not.toHaveProperty("retryAfter");
  });

  test("an explicit sentence and a time to wait replace the code's", () => {
    const failure = new Failure("rate_limited", { detail: "Wait a while.", retryAfter: 7 });
    expect(problemOf(failure, "r")).toMatchObject({ detail: "Wait a while.", retryAfter: 7, status: 429 });
  });

  test("the cause is not exposed", () => {
    const failure = new Failure("internal", { cause: new Error("canary") });
    expect(JSON.stringify(problemOf(failure, "r"))).not.toContain("canary");
  });
});
