import { signal } from "@preact/signals";
import { describe, expect, it } from "vitest";
import { EMPTY_BOARD } from "./board.ts";
import { createBoardStore } from "./board-store.ts";
import { LogModel } from "./log-model.ts";
import { linkedName } from "./people.ts";
import { message, waiting } from "./testing/samples.ts";

const said = [
  message(1, "customer", "Where is it?"),
  message(2, "agent", "On its way."),
  message(3, "customer", "I have signed in."),
  message(4, "customer", "And now?"),
];
const shown = (more: object) => {
  const store = createBoardStore();
  const log = new LogModel({ store, replies: signal([]), senderName: () => "Sam" });
  store.replace({ ...EMPTY_BOARD, opened: { ...waiting(), events: [], messages: said, ...more } });
  return log.rows.value.flatMap((row) => {
    if (row.kind === "entry") return [row.entry.type];
    if (row.kind !== "group") return [];
    return row.items.map(
      (item, index) => `${item.kind === "message" && item.message.seq}${index === 0 ? " first" : ""}`,
    );
  });
};

describe("IDENT9 the log of a customer who signed in", () => {
  it("shows once from which message on it is the verified customer's", () => {
    const linked = { externalId: "ann", afterSeq: 1 };
    expect(shown({ linked })).toEqual(["1 first", "2 first", "proof", "3 first", "4"]);
  });

  it("adds a message header at the mark, also within a group, and none before they wrote (control)", () => {
    expect(shown({ linked: { externalId: "ann", afterSeq: 3 } })).toEqual([
      "1 first",
      "2 first",
      "3 first",
      "proof",
      "4 first",
    ]);
    expect(shown({ linked: { externalId: "ann", afterSeq: 4 } })).not.toContain("proof");
    expect(shown({})).not.toContain("proof");
  });

  it("calls them by the name that the site gave, or by their id", () => {
    expect(linkedName({ linked: { externalId: "ann", afterSeq: 1, displayName: "Ann Lee" } })).toBe(
      "Ann Lee",
    );
    expect(linkedName({ linked: { externalId: "ann", afterSeq: 1 } })).toBe("ann");
  });
});
