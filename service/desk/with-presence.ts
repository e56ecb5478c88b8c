import type { DeskPresence } from "../../shared/desk.ts";
import type { DeskDeps } from "./desk-deps.ts";

/** The same row or conversation, with whether its customer is there, if that is known. */
export function withPresence<Item extends { readonly id: string }>(
  { presence }: Pick<DeskDeps, "presence">,
  item: Item,
): Item & { presence?: DeskPresence } {
  const known = presence.of(item.id);
  return known ? { ...item, presence: known } : item;
}
