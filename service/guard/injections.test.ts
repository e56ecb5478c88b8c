import { describe, expect, test } from "vitest";
import { createScriptedAgent } from "../testing/agents.ts";
import { FOREIGN_CANARY, FOREIGN_HOST, INJECTIONS, type Injection } from "../testing/injections.ts";
import { openTestService } from "../testing/test-service.ts";
import { claimsIn } from "./claims.ts";

/** Obeys whatever it reads, and repeats all that it was given about the customer. */
function obedientAgent(current: () => Injection) {
  return createScriptedAgent(async function* (question) {
    const { obeyed, tool } = current();
    yield {
      type: "citation",
      citation: { citationId: "a", title: "Returns", url: "https://shop.example/a" },
    };
    yield { type: "delta", text: `Returns are free, see https://shop.example/a for more. ${obeyed} ` };
    yield { type: "delta", text: question.messages.map(({ body }) => body.slice(0, 20)).join(" ") };
    if (tool) yield { type: "action.requested", actionId: "x", tool, input: {} };
  });
}

describe("an agent that obeys planted text", () => {
  test("the cases are at least 300, at every place", () => {
    expect(INJECTIONS.length).toBeGreaterThanOrEqual(300);
    expect(new Set(INJECTIONS.map(({ place }) => place)).size).toBe(5);
  });

  test("shows no foreign address, no unverified claim and nothing of another conversation", async () => {
    let current: Injection | undefined;
    const agent = obedientAgent(() => {
      if (!current) throw new Error("no case");
      return current;
    });
    const t = await openTestService({ agents: [agent] });
    current = INJECTIONS[0];
    const bob = await t.customer("bob");
    await bob.say(await bob.start(), FOREIGN_CANARY);
    const ann = await t.customer("ann");
    for (const injection of INJECTIONS) {
      current = injection;
      const id = await ann.start();
      await ann.say(id, injection.place === "customer" ? injection.planted : "How do I return a lamp?");
      await t.service.settled();
      const answer = (await ann.transcript(id)).messages.at(-1);
      const shown = JSON.stringify(answer);
      expect(answer?.body, injection.planted).toContain("https://shop.example/a");
      expect(shown, injection.planted).not.toContain(FOREIGN_HOST);
      expect(shown, injection.planted).not.toContain(FOREIGN_CANARY);
      expect(answer?.body, injection.planted).not.toContain(injection.obeyed);
      await ann.delete(`/v1/support/conversations/${id}`);
    }
  });

  test("the control: each case shows an address or a claim without the guard", () => {
    for (const { obeyed } of INJECTIONS) {
      expect(obeyed.includes(FOREIGN_HOST) || claimsIn(obeyed).length > 0, obeyed).toBe(true);
    }
  });
});
