// @vitest-environment node
import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { auditSentence } from "./people-texts.ts";

/** Events of a conversation that have the same form but are not in the audit log. */
const EVENTS = new Set(
  ["ended", "event", "rated", "read", "reopened", "started"].map((name) => `conversation.${name}`),
);

/** The actions that the service writes to its audit log, read from its sources. */
const ACTIONS = new Set(
  globSync("service/{desk,store}/**/*.ts", { exclude: ["**/*.test.ts", "**/testing/**"] }).flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/"((?:desk|conversation|customer)\.[a-z_]+)"/g)]
      .map(([, action = ""]) => action)
      .filter((action) => !EVENTS.has(action)),
  ),
);

describe("the activity log", () => {
  it("has a sentence for every action that the service records", () => {
    expect(ACTIONS.size).toBeGreaterThan(14);
    for (const action of ACTIONS) {
      const sentence = auditSentence({ action, by: { name: "Sam" }, targetName: "Mira" });
      expect(sentence, action).not.toContain("can't describe");
      expect(sentence, action).not.toContain(".");
    }
  });

  it("does not show an internal name for an unknown action (control)", () => {
    expect(auditSentence({ action: "desk.new_thing", by: { name: "Sam" } })).toBe(
      "Sam did something that this version of the desk can't describe",
    );
  });

  it("calls an actor without a name someone", () => {
    expect(auditSentence({ action: "desk.logout" })).toBe("Someone signed out");
  });
});
