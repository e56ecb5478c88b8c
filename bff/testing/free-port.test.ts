import { expect, test } from "vitest";
import { freePort } from "./free-port.ts";

// A second copy begins at the same port, as another process may.
const ANOTHER_COPY = "./free-port.ts?another";

test("two processes never get the same port, though nobody listens yet", async () => {
  const other = (await import(ANOTHER_COPY)) as typeof import("./free-port.ts");
  expect(other.freePort).not.toBe(freePort);
  const ports = [await freePort(), await other.freePort(), await freePort(), await other.freePort()];
  expect(new Set(ports).size).toBe(ports.length);
});
