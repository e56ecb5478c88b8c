import { describe, expect, test } from "vitest";
import { openDatabase } from "../../service/store/sqlite/database.ts";
import { newDatabasePath } from "../../service/testing/test-store.ts";
import { canCutPower, cutPower } from "./power-cut.ts";

const CUTS = [1, 7, 40, 150, 400] as const;

describe("the power fails while messages are written", () => {
  test("the store asks SQLite for a sync with each commit", () => {
    const database = openDatabase(newDatabasePath(), 0);
    expect(Object.values(database.prepare("PRAGMA synchronous").get() ?? {})).toEqual([2]);
    database.close();
  });

  if (!canCutPower()) return;

  test.each(CUTS)(
    "MSG4 after a power cut after %i acknowledgements each message is stored, and the log is whole",
    async (enough) => {
      const { acknowledged, lost, faults } = await cutPower({ enough });
      expect(acknowledged.length).toBeGreaterThanOrEqual(enough);
      expect(lost).toEqual([]);
      expect(faults).toEqual([]);
    },
  );

  test("with synchronous=OFF the same cut loses acknowledged messages (control)", async () => {
    const { acknowledged, lost } = await cutPower({ enough: 150, mode: "unsynced" });
    expect(acknowledged.length).toBeGreaterThanOrEqual(150);
    expect(lost.length).toBeGreaterThan(0);
  });
});
