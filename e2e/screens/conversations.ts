// Conversations that the scenes begin with.
import type { Message } from "../../shared/message.ts";
import type { Visit } from "./visit.ts";
import type { Words } from "./words.ts";

/** A time of the day of the pictures. */
export const at = (minute: number) => `2026-11-20T10:${String(minute).padStart(2, "0")}:00.000Z`;

export const say = (
  seq: number,
  role: Message["role"],
  body: string,
  more: Partial<Message> = {},
): Message => ({
  id: `m${seq}`,
  seq,
  role,
  body,
  at: at(10 + seq),
  ...(role === "customer" ? { clientMessageId: `k${seq}` } : {}),
  ...more,
});

export const asked = ({ question }: Words) => [say(2, "customer", question)];
export const answered = (words: Words) => [
  ...asked(words),
  say(3, "agent", words.answer, {
    citations: [
      { citationId: "a1", title: words.source, url: "https://lamps.example/repairs", excerpt: words.excerpt },
    ],
  }),
];
export const withPerson = (words: Words) => [
  ...answered(words),
  say(4, "human", words.asks, { author: { name: words.human } }),
  say(5, "customer", words.lamp),
  say(6, "human", words.price, { author: { name: words.human } }),
];
export const person = ({ human }: Words) => ({
  id: "h1",
  status: "accepted" as const,
  human: { name: human },
});

export const ended = (words: Words) => ({
  status: "ended" as const,
  messages: [...withPerson(words), say(7, "customer", words.thanks)],
});

export const sees = (visit: Visit, text: string | RegExp) => visit.frame.getByText(text).last().waitFor();
export const saysPart = (text: string) => text.slice(0, 12);
