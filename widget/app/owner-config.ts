import { type ReadonlySignal, signal } from "@preact/signals";
import type { PublicConfig } from "../../shared/api/config.ts";
import type { BffClient } from "./bff-client.ts";
import type { ConversationLog } from "./conversation-log.ts";
import type { PanelEvent } from "./panel-events.ts";

export type OwnerConfig = ReadonlySignal<Pick<PublicConfig, "fallback" | "identityPolicy"> | undefined>;

const FAULTS: ReadonlySet<PanelEvent["type"]> = new Set([
  "failed",
  "identity.failed",
  "message.not_confirmed",
  "handoff.failed",
]);

/** The owner's help for when the chat does not work; loaded only after a failure. */
export function createOwnerConfig(client: Pick<BffClient, "readConfig">, log: ConversationLog): OwnerConfig {
  const config = signal<OwnerConfig["value"]>();
  const read = async () => {
    config.value ??= await client.readConfig();
  };
  log.subscribe(({ type }) => {
    // The next failure asks again.
    if (FAULTS.has(type)) read().catch(() => undefined);
  });
  return config;
}
