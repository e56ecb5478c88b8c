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
    try {
      config.value ??= await client.readConfig();
    } catch {
      // Nothing answers at all, so there is no fallback to offer either.
      config.value = undefined;
    }
  };
  log.subscribe(({ type }) => {
    if (FAULTS.has(type)) void read();
  });
  return config;
}
