import { expect, test } from "vitest";
import { readPages } from "./transcript.ts";

const message = (seq: number) => ({ id: `m${seq}`, seq, role: "customer", body: "Hello", at: "" });
const page = (seq: number, more: object = {}) => ({
  messages: [message(seq)],
  lastSeq: 3,
  epoch: "e",
  ...more,
});

/** A service that answers each position with one page. */
const serviceOf = (pages: Record<number, object>) => async (after: number) => pages[after] as never;

test("a transcript in pages is read to its end", async () => {
  const mark = { seq: 2, at: "", type: "handoff.requested" };
  const read = serviceOf({
    0: page(1, { nextAfter: 1 }),
    1: page(2, { nextAfter: 2, marks: [mark] }),
    2: page(3),
  });
  const value = await readPages(read, 0);
  expect(value.messages.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  expect(value.marks).toEqual([mark]);
  expect(value.nextAfter).toBeUndefined();
});

test("a page that leads nowhere, and a log that was replaced between two pages, confirm nothing", async () => {
  const circle = serviceOf({ 0: page(1, { nextAfter: 1 }), 1: page(2, { nextAfter: 1 }) });
  await expect(readPages(circle, 0)).rejects.toMatchObject({ code: "not_confirmed" });
  const replaced = serviceOf({ 0: page(1, { nextAfter: 1 }), 1: page(2, { epoch: "f" }) });
  await expect(readPages(replaced, 0)).rejects.toMatchObject({ code: "not_confirmed" });
});
