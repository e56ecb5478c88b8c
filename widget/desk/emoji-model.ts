import { createModel, type ReadonlySignal, signal } from "@preact/signals";
import type { Failure } from "../../shared/errors.ts";
import type { DeskClient, EmojiGroup } from "./desk-client.ts";

/** The emoji that can be picked, once they are read. */
export type EmojiReading =
  | { readonly kind: "reading" }
  | { readonly kind: "failed"; readonly failure: Failure }
  | { readonly kind: "ready"; readonly groups: readonly EmojiGroup[] };

export interface EmojiModelDeps {
  readonly client: Pick<DeskClient, "emoji">;
  readonly noteFailure: (cause: unknown) => Failure;
}

/** Reads the emoji when somebody first opens them. */
export const EmojiModel = createModel(({ client, noteFailure }: EmojiModelDeps) => {
  const emoji = signal<EmojiReading>({ kind: "reading" });
  let isReading = false;
  return {
    emoji: emoji as ReadonlySignal<EmojiReading>,
    async readEmoji(): Promise<void> {
      if (isReading || emoji.peek().kind === "ready") return;
      isReading = true;
      emoji.value = { kind: "reading" };
      try {
        emoji.value = { kind: "ready", groups: await client.emoji() };
      } catch (cause) {
        emoji.value = { kind: "failed", failure: noteFailure(cause) };
      }
      isReading = false;
    },
  };
});

/** The groups with the emoji whose name or words begin with each word of `query`; all of them without one. */
export function findEmoji(groups: readonly EmojiGroup[], query: string): readonly EmojiGroup[] {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = ([, name, words]: EmojiGroup["emoji"][number]) => {
    const text = ` ${name} ${words}`.toLowerCase();
    return wanted.every((word) => text.includes(` ${word}`));
  };
  return groups
    .map((group) => ({ ...group, emoji: group.emoji.filter(fits) }))
    .filter(({ emoji }) => emoji.length > 0);
}
