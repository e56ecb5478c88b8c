import { appendFileSync } from "node:fs";
import type { Service, ServiceDeps } from "../app.ts";
import { addDeviation } from "./deviations.ts";
import { watchAnswers } from "./watch-answers.ts";

/** In a program of its own: the file that gets a line for each deviation, at once, because the process may be killed. */
const report = process.env["WATCHED_REPORT"];

/** With another address it is not replaced by this file. */
const { createService: create } = (await import(
  "../app.ts?unwatched" as string
)) as typeof import("../app.ts");

const tell =
  report === undefined ? addDeviation : (sentence: string) => appendFileSync(report, `${sentence}\n`);

/** Takes the place of `service/app.ts` in tests: compares the service's answers with `/v1/openapi.json`. */
export function createService(deps: ServiceDeps): Service {
  const service = create(deps);
  watchAnswers(service.app, deps, tell);
  return service;
}
