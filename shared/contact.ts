import * as z from "zod/mini";
import { EMAIL_ADDRESS } from "./email-address.ts";

const ContactEmail = z.string().check(z.regex(EMAIL_ADDRESS, "must be an address such as name@example.com"));

/** An e-mail address for replies, as the customer typed it: unverified, and never a key. */
export const Contact = z.object({ email: ContactEmail });
export type Contact = z.infer<typeof Contact>;

/** The same as it is set; null removes it. */
export const ContactChange = z.object({ email: z.nullable(ContactEmail) });
export type ContactChange = z.infer<typeof ContactChange>;
