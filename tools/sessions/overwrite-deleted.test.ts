import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createSqliteStore } from "../../bff/store/sqlite-store.ts";
import { overwriteDeleted } from "./overwrite-deleted.ts";

function newPath(): string {
  const folder = mkdtempSync(join(tmpdir(), "parley-store-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "bff.sqlite");
}

const put = (key: string, value: string) => ({ key, value, lifeMs: 60_000 });

describe("the file of the embedded store", () => {
  it("is rewritten without the bytes of deleted values", async () => {
    const path = newPath();
    const store = createSqliteStore(path);
    await store.write([put("a", "canary"), put("b", "other")]);
    await store.write([{ key: "a", value: null }]);
    expect(overwriteDeleted(path)).toBe(true);
    const bytes = readFileSync(path, "latin1") + readFileSync(`${path}-wal`, "latin1");
    expect(bytes).not.toContain("canary");
    expect(bytes).toContain("other");
  });
});
