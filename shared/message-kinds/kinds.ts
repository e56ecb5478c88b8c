import * as z from "zod/mini";
import { Choices } from "./choices.ts";
import { Citations } from "./citations.ts";
import { Files } from "./files.ts";

/**
 * The kinds of content that a message can carry besides its text, by field. The panel (`widget/ui/log/kinds/`: in the open
 * conversation and in a past one) and the desk (`widget/desk/parts/kinds/`) have a view for each; their tables do not
 * compile without one.
 */
export const KIND_FIELDS = {
  attachments: z.optional(Files),
  citations: z.optional(Citations),
  choices: z.optional(Choices),
};

/** The kinds' fields of a message, each absent if the message does not have it. */
export type KindFields = { readonly [K in MessageKind]?: Readonly<KindContent<K>> | undefined };
export type MessageKind = keyof typeof KIND_FIELDS;
export type KindContent<K extends MessageKind> = NonNullable<z.infer<(typeof KIND_FIELDS)[K]>>;
