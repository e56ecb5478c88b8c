import * as z from "zod/mini";
import { Id } from "../id.ts";

/** A panel of 320 px fits six buttons with the answer above them. */
export const MAX_CHOICES = 6;
const MAX_LABEL = 120;
const MAX_SEND = 500;

const shown = (max: number) => z.string().check(z.maxLength(max), z.regex(/\S/));

/** A button that sends `send` as the customer's own message. */
const Reply = z.object({ id: Id, label: shown(MAX_LABEL), send: shown(MAX_SEND) });

/** A button that asks for a person. Without a label the panel names it in the customer's language. */
const AskForPerson = z.object({
  id: Id,
  label: z.optional(shown(MAX_LABEL)),
  choice: z.literal("handoff"),
});

export const Choice = z.union([Reply, AskForPerson]);
export type Choice = z.infer<typeof Choice>;

/** Quick replies under a message. They can be used until another message follows or a person is asked for. */
export const Choices = z.array(Choice).check(z.maxLength(MAX_CHOICES));
export type Choices = z.infer<typeof Choices>;
