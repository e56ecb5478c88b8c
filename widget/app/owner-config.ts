import { type ReadonlySignal, signal } from "@preact/signals";
import type { PublicConfig } from "../../shared/api/config.ts";
import type { BffClient } from "./bff-client.ts";
import type { ConversationLog } from "./conversation-log.ts";

export type OwnerConfig = ReadonlySignal<Pick<PublicConfig, "fallback" | "identityPolicy"> | undefined>;

/** What the owner offers when the chat does not work; read only once something failed. */
export function createOwnerConfig(client: Pick<BffClient, "readConfig">, log: ConversationLog): OwnerConfig {
  const config = signal<OwnerConfig["value"]>();
  const read = async () => {
    try {
      config.value ??= await client.readConfig();
    } catch {
      // Nothing answers at all: then there is no other way to offer either.
      config.value = undefined;
    }
  };
  log.subscribe((event) => {
    const isDown = event.type === "failed" && event.what === "session";
    if (isDown || event.type === "identity.failed") void read();
  });
  return config;
}
