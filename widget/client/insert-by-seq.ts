/**
 * Returns the items with `item` inserted by its seq: a log is in the service's order, whatever the order of arrival.
 */
export function insertBySeq<T extends { readonly seq: number }>(items: readonly T[], item: T): readonly T[] {
  let at = items.length;
  while (at > 0 && (items[at - 1]?.seq ?? 0) > item.seq) at -= 1;
  return [...items.slice(0, at), item, ...items.slice(at)];
}
