import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const SERVICE = fileURLToPath(new URL("..", import.meta.url));

/** Production files of the service that contain a text, except for those of the SQLite driver. */
function filesWith(text: string): string[] {
  return globSync("**/*.ts", { cwd: SERVICE })
    .filter((file) => !/\.test\.ts$|testing\/|^store\/sqlite\//.test(file))
    .filter((file) => readFileSync(`${SERVICE}/${file}`, "utf8").includes(text));
}

test("only the driver depends on SQLite, and only the start chooses the driver", () => {
  // The vectors of articles lie in a file of their own, and are made again if it is lost.
  expect(filesWith('"node:sqlite"')).toEqual(["agents/knowledge/embeddings/vector-store.ts"]);
  expect(filesWith("/sqlite/")).toEqual(["open-store.ts"]);
});

test("the search finds existing text (control)", () => {
  expect(filesWith("createSqliteStore").length + filesWith("openSqliteStore").length).toBeGreaterThan(0);
});
