import { describe, expect, it } from "vitest";
import type { FailureCode } from "../../../shared/errors.ts";
import { problem } from "../../app/testing/scripted-bff.ts";
import { startTalk } from "../testing-panel.tsx";

const startDoubt = async (code: FailureCode) => {
  const panel = await startTalk();
  panel.bff.script("POST /api/conversation/messages", () => problem(code));
  await panel.say("My lamp is broken");
  return panel;
};

describe("SAY2 below an unconfirmed message", () => {
  it("there is no Retry where the key has another text, because a retry has the same key", async () => {
    const panel = await startDoubt("key_reused");
    expect(panel.log()).toMatch(/My lamp is broken.*Write it again as a new one\./);
    expect(panel.all("button", "Discard")).toHaveLength(1);
    expect(panel.all("button", "Retry")).toEqual([]);
  });

  it("there is one after any other answer (control)", async () => {
    const panel = await startDoubt("not_confirmed");
    expect(panel.all("button", "Retry")).toHaveLength(1);
  });
});
