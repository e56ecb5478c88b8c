import { changed } from "../../service/testing/fake/fake-service.ts";
import { startConversation } from "../../shared/api/conversation.ts";
import { openIdentityBench, says } from "./identity-bench.ts";
import type { TestBff } from "./test-bff.ts";

export const HOUR_MS = 3_600_000;

/** A BFF with these rules, and a service that leaves a conversation's route to the selection. */
export function openBench(rules: readonly object[], env: Record<string, string> = {}) {
  const bench = openIdentityBench({ env: { ROUTING: JSON.stringify(rules), ...env } });
  bench.service.answer("conversations", (_, real) => startedWith(real, undefined));
  const selections = () => bench.service.calls("supportSelection");
  return {
    ...bench,
    selections,
    /** What the last selection requested, besides the customer. */
    wish() {
      const asked = selections().at(-1)?.body as Record<string, string>;
      return Object.fromEntries(
        Object.entries(asked).filter(([key]) => key !== "userID" && key !== "locale"),
      );
    },
  };
}
/** The answer of a start with another route, or without one. */
export const startedWith = (real: () => Promise<Response>, route: object | undefined) =>
  changed<{ conversation: object }>(real, ({ conversation }) => ({
    conversation: { ...conversation, route },
  }));
export const begin = (bff: TestBff, body: object = {}) => bff.post("/api/session", body).then(says);
export const start = (bff: TestBff, token: string) =>
  bff.post("/api/conversation", { clientMessageId: "k", body: "Hello" }, token);
export const end = (bff: TestBff, token: string) => bff.request("DELETE", "/api/conversation", { token });
export const page = (path: string) => ({ url: `https://shop.example${path}` });
export async function startedBy(answer: Response) {
  return startConversation.answer.parse(await answer.json()).conversation;
}
