import type { EnvironmentReader } from "../../shared/server/environment.ts";
import type { AdapterKind, ConfiguredAdapter } from "./adapter-kind.ts";
import { deskKind } from "./desk-adapter.ts";

/** Every kind of adapter that this program includes. A new one is added here. */
export const ADAPTER_KINDS: readonly AdapterKind[] = [deskKind];

/**
 * Returns the adapters that `HANDOFF_ADAPTERS` lists, in its order; `none` means no adapter. Reads only their
 * variables, so an adapter that is not listed needs none.
 */
export function configureAdapters(
  reader: EnvironmentReader,
  kinds: readonly AdapterKind[] = ADAPTER_KINDS,
): readonly ConfiguredAdapter[] {
  if (reader.text("HANDOFF_ADAPTERS") === "none") return [];
  const ids = reader.list(
    "HANDOFF_ADAPTERS",
    kinds.map(({ id }) => id),
    ["desk"],
  );
  return ids.flatMap((id) => kinds.find((kind) => kind.id === id)?.configure(reader) ?? []);
}
