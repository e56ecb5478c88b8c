import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createFakeService } from "../../service/testing/fake/fake-service.ts";
import { follow, resume } from "../testing/bff-pair.ts";
import { withEventLines } from "../testing/event-lines.ts";
import { createTestBff, problemOf, readBlocks } from "../testing/test-bff.ts";
import { createTestClock, settle } from "../testing/test-clock.ts";
import { createSqliteStore } from "./sqlite-store.ts";

it("STORE10 a session that another process deletes from the file ends, with its streams, within a second", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-erased-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const clock = createTestClock();
  const open = () => createSqliteStore(join(folder, "bff.sqlite"), { clock });
  const service = createFakeService();
  withEventLines(service);
  const bff = createTestBff({ service, clock, store: open() });
  const { token } = await bff.startConversation();
  const stream = await follow(bff, token);

  const other = open();
  for await (const key of other.keys("session:")) await other.write([{ key, value: null }]);
  expect((await resume(bff, token)).status, "control: from memory").toBe(200);
  await clock.advance(1000);
  await settle();
  expect(await readBlocks(stream, 100)).toEqual([]);
  expect(await problemOf(await resume(bff, token))).toBe("401 unauthenticated");
});
