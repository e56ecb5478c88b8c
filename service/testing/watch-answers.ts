import type { Service } from "../app.ts";
import type { HeaderNames } from "../openapi/document.ts";
import { createDescribedCheck } from "./described.ts";

/** Compares every answer of a running service with its own OpenAPI document, and reports each deviation as a sentence. */
export function watchAnswers(
  app: Service["app"],
  headers: HeaderNames,
  report: (sentence: string) => void,
): void {
  const check = createDescribedCheck(headers);
  const answer = app.fetch;
  app.fetch = async (request, ...rest) => {
    const response = await answer(request, ...rest);
    await check(request.method, new URL(request.url).pathname, response).catch((error: unknown) =>
      report(error instanceof Error ? error.message : String(error)),
    );
    return response;
  };
}
