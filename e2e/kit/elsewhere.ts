import { randomUUID } from "node:crypto";
import { expect } from "@playwright/test";
import type { Panel } from "./panel.ts";

/**
 * The same customer writes from another of their screens, straight at the BFF.
 * @param chat the BFF's origin
 * @param authorization the header with which the customer's panel asks
 */
export async function sayElsewhere(chat: string, authorization: string, body: string): Promise<void> {
  const answer = await fetch(`${chat}/api/conversation/messages`, {
    method: "POST",
    headers: { authorization, "content-type": "application/json", origin: chat },
    body: JSON.stringify({ clientMessageId: `elsewhere-${randomUUID()}`, body }),
  });
  expect(answer.status).toBe(201);
}

/** Each of the texts stands in the log once, and in this order. */
export async function expectOnceInOrder(
  { log }: Pick<Panel, "log">,
  texts: readonly string[],
  timeoutMs = 10_000,
): Promise<void> {
  for (const text of texts)
    await expect(log.getByText(text, { exact: true })).toHaveCount(1, { timeout: timeoutMs });
  const shown = await log.innerText();
  const places = texts.map((text) => shown.indexOf(text));
  expect(places).toEqual(places.toSorted((one, other) => one - other));
}
