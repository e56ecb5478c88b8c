import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { systemRandom } from "../../shared/server/random.ts";
import { mountSmallDisk } from "../testing/small-disk.ts";
import { readSigningKey } from "./signing-key.ts";

test("OPS9 a start on a full disk leaves no half signing key, and the next one makes a whole key", (context) => {
  const disk = mountSmallDisk(64 * 1024);
  if (!disk) return context.skip();
  const key = () => new TextDecoder().decode(readSigningKey(undefined, disk.folder, systemRandom));
  const empty = disk.fill();
  expect(key).toThrow("The signing key can't be stored in the data folder: ENOSPC");
  empty();
  const made = key();
  expect(made).toMatch(/^[\w-]{43}$/);
  expect(key()).toBe(made);
  expect(readdirSync(disk.folder)).toEqual(["session-signing.key"]);
});
