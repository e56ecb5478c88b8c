import { Capability } from "../../shared/capability.ts";
import { capabilities } from "../../shared/v1/capabilities.ts";
import type { UpstreamClient } from "./client.ts";
import { isRefused } from "./failure.ts";

/** Reads the capabilities that the service declares. It has none if it lacks this endpoint (contract). */
export async function readCapabilities(
  upstream: UpstreamClient,
  serviceToken: string,
): Promise<readonly Capability[]> {
  try {
    const answer = await upstream.call(capabilities, { token: serviceToken });
    return Capability.options.filter((capability) => answer.value.capabilities.includes(capability));
  } catch (error) {
    if (isRefused(error, ...capabilities.absent)) return [];
    throw error;
  }
}
