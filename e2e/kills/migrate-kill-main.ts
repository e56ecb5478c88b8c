import { writeSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { migrate } from "../../service/store/sqlite/migrate.ts";
import { MIGRATIONS } from "../../service/store/sqlite/migrations.ts";

/**
 * A process for the kill test: it migrates a database to a schema with two more steps, and prints a line for each
 * thousand rows that the second one writes. With `apart` each step commits separately, a fault that the test must
 * detect.
 */
const STDOUT = 1;
const [path = "", mode = ""] = process.argv.slice(2);
const database = new DatabaseSync(path);
database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
database.function("tell", (row) => {
  if (Number(row) % 1000 === 0) writeSync(STDOUT, "row\n");
  return row;
});

const version = MIGRATIONS.length;
const steps = [
  ...MIGRATIONS,
  { version: version + 1, name: "a first part", sql: "CREATE TABLE copied (n INTEGER PRIMARY KEY) STRICT" },
  {
    version: version + 2,
    name: "a long second part",
    sql: `WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < 100000)
          INSERT INTO copied SELECT tell(n) FROM many`,
  },
];
if (mode === "apart") {
  for (let upTo = MIGRATIONS.length; upTo <= steps.length; upTo += 1)
    migrate(database, steps.slice(0, upTo), 0);
} else {
  migrate(database, steps, 0);
}
writeSync(STDOUT, "done\n");
// Waits to be killed: exiting by itself would look like a kill that came too late.
setInterval(() => undefined, 1000);
