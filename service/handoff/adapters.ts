import type { EnvironmentReader } from "../../shared/server/environment.ts";
import type { AdapterKind, ConfiguredAdapter } from "./adapter-kind.ts";
import { deskKind } from "./desk-adapter.ts";

/** Every kind of adapter that this program has. A new one is added here. */
export const ADAPTER_KINDS: readonly AdapterKind[] = [deskKind];

/**
 * The adapters that `HANDOFF_ADAPTERS` names, in its order; `none` names none. Only their own variables are read, so an
 * adapter that is not named needs none.
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
