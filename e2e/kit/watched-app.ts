import { appendFileSync } from "node:fs";
import { createService as create, type Service, type ServiceDeps } from "../../service/app.ts";
import { watchAnswers } from "../../service/testing/watch-answers.ts";

/** The file that gets a line for each deviation; written at once, because the process may be killed. */
const REPORT = new URL(import.meta.url).searchParams.get("report") ?? "";

/** The service, with its answers compared with `/v1/openapi.json`. */
export function createService(deps: ServiceDeps): Service {
  const service = create(deps);
  watchAnswers(service.app, deps, (sentence) => appendFileSync(REPORT, `${sentence}\n`));
  return service;
}
