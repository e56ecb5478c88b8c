import { expect, test } from "vitest";
import { Refused } from "./failure.ts";
import { readPageBefore } from "./transcript.ts";

const message = (seq: number) => ({ id: `m${seq}`, seq, role: "customer", body: "Hello", at: "" });
const seqsOf = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
const page = (seqs: readonly number[], more: object = {}) => ({
  messages: seqs.map(message),
  lastSeq: 300,
  epoch: "e",
  ...more,
});

/** A service that answers with pages, by what it was asked. */
function serviceOf(answer: (asked: { after?: number; before?: number }) => object) {
  const asked: unknown[] = [];
  const read = async (wish: object | undefined) => {
    asked.push(wish);
    return answer(wish ?? {}) as never;
  };
  return { asked, read };
}

test("where a service gives pages from the end, one call reads one", async () => {
  const { asked, read } = serviceOf(() => page(seqsOf(201, 250), { nextBefore: 201 }));
  expect((await readPageBefore(read, 251)).nextBefore).toBe(201);
  expect(asked).toEqual([{ before: 251 }]);
});

test("a service with pages from the beginning only is read to its end, and gives the newest messages", async () => {
  const mark = (seq: number) => ({ seq, at: "", type: "handoff.requested" });
  const action = (seq: number) => ({ actionId: `a${seq}`, name: "refund", seq, at: "" });
  const { read } = serviceOf(({ after = 0 }) =>
    after === 0
      ? page(seqsOf(1, 200), { nextAfter: 200, marks: [mark(9)], actions: [action(9)] })
      : page(seqsOf(201, 300), { marks: [mark(299)], actions: [action(299)] }),
  );
  const newest = await readPageBefore(read);
  expect(newest.messages.map(({ seq }) => seq)).toEqual(seqsOf(251, 300));
  expect(newest).toMatchObject({ nextBefore: 251, marks: [{ seq: 299 }], actions: [{ seq: 299 }] });
});

test("a service without pages gives the page that was asked for, and the first one has none before it", async () => {
  const { read } = serviceOf(() => page(seqsOf(1, 70)));
  const second = await readPageBefore(read, 61);
  expect(second.messages.map(({ seq }) => seq)).toEqual(seqsOf(11, 60));
  expect(second.nextBefore).toBe(11);
  const first = await readPageBefore(read, 11);
  expect(first.messages.map(({ seq }) => seq)).toEqual(seqsOf(1, 10));
  expect(first.nextBefore).toBeUndefined();
});

test("a service that refuses to be asked for a page is asked without one", async () => {
  const { read } = serviceOf(({ before }) => {
    if (before !== undefined) throw new Refused(400, true, "support_refused", undefined);
    return page([1, 2]);
  });
  expect((await readPageBefore(read)).messages).toHaveLength(2);
});

test("a page that leads nowhere, and a log that was replaced between two pages, confirm nothing", async () => {
  const circle = serviceOf(({ after = 0 }) => page([after + 1], { nextAfter: 1 }));
  await expect(readPageBefore(circle.read)).rejects.toMatchObject({ code: "not_confirmed" });
  const replaced = serviceOf(({ after }) =>
    after === undefined ? page([1], { nextAfter: 1 }) : page([2], { epoch: "f" }),
  );
  await expect(readPageBefore(replaced.read)).rejects.toMatchObject({ code: "not_confirmed" });
});
