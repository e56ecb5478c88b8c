import { randomUUID } from "node:crypto";
import { expect } from "@playwright/test";
import type { Panel } from "./panel.ts";

/**
 * The same customer writes from another screen, directly through the BFF's API.
 * @param chat the BFF's origin
 * @param authorization the header that the customer's panel sends
 */
export async function sayElsewhere(chat: string, authorization: string, body: string): Promise<void> {
  const answer = await fetch(`${chat}/api/conversation/messages`, {
    method: "POST",
    headers: { authorization, "content-type": "application/json", origin: chat },
    body: JSON.stringify({ clientMessageId: `elsewhere-${randomUUID()}`, body }),
  });
  expect(answer.status).toBe(201);
}

/** Each of the texts is in the log once, in this order. */
export async function expectOnceInOrder(
  { log }: Pick<Panel, "log">,
  texts: readonly string[],
): Promise<void> {
  for (const text of texts) await expect(log.getByText(text, { exact: true })).toHaveCount(1);
  const shown = await log.innerText();
  const places = texts.map((text) => shown.indexOf(text));
  expect(places).toEqual(places.toSorted((one, other) => one - other));
}
