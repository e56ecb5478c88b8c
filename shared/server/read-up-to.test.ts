import { expect, test } from "vitest";
import { readUpTo } from "./read-up-to.ts";

/** Three chunks of four bytes, and how many of them were taken. */
function createBody() {
  const seen = { chunks: 0, isClosed: false };
  async function* chunks() {
    try {
      while (seen.chunks < 3) {
        seen.chunks += 1;
        yield Buffer.from("four");
      }
    } finally {
      seen.isClosed = true;
    }
  }
  return { seen, body: chunks() };
}

test("a body of exactly the limit is whole", async () => {
  const { body } = createBody();
  expect(await readUpTo(body, 12)).toEqual({ bytes: Buffer.from("fourfourfour"), isWhole: true });
});

test("a longer body is closed at the chunk that exceeds the limit", async () => {
  const { body, seen } = createBody();
  expect(await readUpTo(body, 7)).toEqual({ bytes: Buffer.from("fourfour"), isWhole: false });
  expect(seen).toEqual({ chunks: 2, isClosed: true });
});

test("no body is an empty one", async () => {
  expect(await readUpTo(null, 1)).toEqual({ bytes: Buffer.alloc(0), isWhole: true });
});
