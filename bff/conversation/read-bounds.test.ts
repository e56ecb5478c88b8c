import { expect, test } from "vitest";
import { createReadBounds } from "./read-bounds.ts";

/** Reads that end when the test says so, and the names of those that began. */
function openReads(max: number) {
  const bounds = createReadBounds(max);
  const began: string[] = [];
  const reads = new Map<string, PromiseWithResolvers<string>>();
  return {
    began,
    read: (sessionId: string, name: string) => {
      const done = Promise.withResolvers<string>();
      reads.set(name, done);
      return bounds(sessionId, () => {
        began.push(name);
        return done.promise;
      });
    },
    end: (name: string) => reads.get(name)?.resolve(name),
    fail: (name: string) => reads.get(name)?.reject(new Error(name)),
  };
}

test("a session's reads run one after the other, and another session's beside them", async () => {
  const { began, read, end } = openReads(9);
  const first = read("ann", "first");
  const second = read("ann", "second");
  const other = read("bob", "other");
  end("other");
  expect(await other).toBe("other");
  expect(began).toEqual(["first", "other"]);
  end("first");
  expect(await first).toBe("first");
  end("second");
  expect(await second).toBe("second");
});

test("beyond the bound a read waits until another one ends or fails", async () => {
  const { began, read, end, fail } = openReads(2);
  const [one, two, three, four] = ["1", "2", "3", "4"].map((name) => read(name, name));
  expect(began).toEqual(["1", "2"]);
  fail("1");
  await expect(one).rejects.toThrow("1");
  end("2");
  await two;
  end("3");
  end("4");
  expect(await Promise.all([three, four])).toEqual(["3", "4"]);
});
