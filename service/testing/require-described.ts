import { afterAll, afterEach } from "vitest";
import { takeDeviations } from "./deviations.ts";

/** @throws Error that names each answer since the last call that `/v1/openapi.json` does not describe */
function requireDescribed(): void {
  const deviations = takeDeviations();
  if (deviations.length > 0)
    throw new Error(`The service deviated from its document:\n${deviations.join("\n")}`);
}

afterEach(requireDescribed);
// Answers that a file's last hooks asked for.
afterAll(requireDescribed);
