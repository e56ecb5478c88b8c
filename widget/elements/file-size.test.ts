import { expect, it } from "vitest";
import { fileSize } from "./file-size.ts";

it("a file's size is never rounded to zero", () => {
  expect([1, 12, 49, 999].map(fileSize)).toEqual(["1 byte", "12 bytes", "49 bytes", "999 bytes"]);
  expect([1000, 1040, 15_000].map(fileSize)).toEqual(["1 kB", "1 kB", "15 kB"]);
  expect([1_000_000, 3_400_000, 10_000_000].map(fileSize)).toEqual(["1 MB", "3.4 MB", "10 MB"]);
});
