import { act } from "preact/test-utils";
import { describe, expect, it } from "vitest";
import type { SessionState } from "../../shared/api/session.ts";
import { json } from "../app/testing/scripted-bff.ts";
import { startTalk } from "./testing-panel.tsx";

const HANDOFF = "POST /api/conversation/handoff";
const MINUTE_MS = 60_000;

/** A panel with a conversation, whose BFF says these hours; `minutes` from now. */
async function startWithin(hours?: { opensAt?: number; closesAt?: number }) {
  const panel = await startTalk();
  const at = (minutes: number | undefined) =>
    minutes === undefined ? undefined : new Date(panel.time.now() + minutes * MINUTE_MS).toISOString();
  if (hours) {
    const said = { opensAt: at(hours.opensAt), closesAt: at(hours.closesAt) };
    panel.bff.script("POST /api/session", async (request, signal) => {
      const answer = await panel.bff.answer(request, signal);
      return json(200, { ...((await answer.json()) as SessionState), hours: said });
    });
    await act(async () => {
      await panel.chat.session.refresh();
    });
  }
  const pass = async (minutes: number) => {
    await act(() => panel.time.advance(minutes * MINUTE_MS));
    await panel.rest();
  };
  const report = async (wait: { place?: number; usualSeconds?: number }) => {
    await act(() => panel.bff.signal({ type: "handoff.wait", wait }));
    await panel.rest();
  };
  /** The conversation's visible state, without announcements. */
  const standing = () => panel.root.querySelector("[data-tone=calm]")?.textContent ?? "";
  return { ...panel, at, pass, report, standing };
}
type Panel = Awaited<ReturnType<typeof startWithin>>;
const said = (panel: Panel) => panel.get("status").textContent ?? "";

describe("HAND5 a customer who waits for a person reads", () => {
  it("the place in the queue and the usual wait, as the service says them now", async () => {
    const panel = await startWithin();
    await panel.click("button", "Talk to a person");
    expect(panel.standing()).toContain("We've asked a teammate to join.");
    expect(panel.standing()).not.toContain("queue");
    await panel.report({ place: 3, usualSeconds: 240 });
    expect(panel.standing()).toContain("Your place in the queue: 3 · Usual wait: 4 minutes");
    await panel.report({ place: 2, usualSeconds: 20 });
    expect(panel.standing()).toContain("Your place in the queue: 2 · Usual wait: 1 minute");
    await act(() => panel.bff.setHandoff("accepted", "Maya"));
    await panel.rest();
    expect(panel.standing()).not.toMatch(/queue|Usual wait/);
  });

  it("the facts in the answer to the request, also when the event came first", async () => {
    const panel = await startWithin();
    panel.bff.script(HANDOFF, async (request, signal) => {
      await panel.bff.answer(request, signal);
      const wait = { place: 2, usualSeconds: 7200 };
      return json(201, { handoff: { id: "handoff-1", status: "requested", wait } });
    });
    await panel.click("button", "Talk to a person");
    expect(panel.standing()).toContain("Your place in the queue: 2 · Usual wait: 2 hours");
  });

  it("no place while the connection is lost, because it may be another one", async () => {
    const panel = await startWithin();
    await panel.click("button", "Talk to a person");
    await panel.report({ place: 3, usualSeconds: 240 });
    await act(() => panel.bff.cutStreams());
    await panel.rest();
    expect(panel.standing()).not.toContain("queue");
    expect(panel.standing()).toContain("Usual wait: 4 minutes");
  });

  it("when support opens, until it does, and no usual wait while it is closed", async () => {
    const panel = await startWithin({ opensAt: 90, closesAt: 600 });
    await panel.click("button", "Talk to a person");
    await panel.report({ place: 3, usualSeconds: 240 });
    expect(panel.standing()).toMatch(/We're back .+ · Your place in the queue: 3/);
    expect(panel.standing()).not.toContain("Usual wait");
    await panel.pass(91);
    expect(panel.standing()).toContain("Usual wait: 4 minutes");
    expect(panel.standing()).not.toContain("We're back");
  });

  it("A11Y7 aloud: the place once, and again only when nobody is before", async () => {
    const panel = await startWithin();
    await panel.click("button", "Talk to a person");
    await panel.report({ place: 3 });
    expect(said(panel)).toContain("Your place in the queue: 3.");
    await panel.report({ place: 2 });
    expect(said(panel)).not.toContain("queue: 2");
    await panel.report({ place: 1 });
    expect(said(panel)).toContain("Your place in the queue: 1.");
  });
});

describe("HAND5 before a person is asked for, the panel says", () => {
  it("that support is open, until it closes, and then when it opens", async () => {
    const panel = await startWithin({ closesAt: 30, opensAt: 24 * 60 });
    expect(panel.text()).toContain("Open now");
    await panel.pass(31);
    expect(panel.text()).not.toContain("Open now");
    expect(panel.text()).toContain("We're back tomorrow");
    expect(panel.get("button", "Talk to a person").getAttribute("aria-describedby")).toBe(
      panel.root.querySelector("[class*=hours]")?.id,
    );
  });

  it("nothing where the hours are not known, or no longer", async () => {
    expect((await startWithin()).text()).not.toMatch(/Open now|We're back/);
    const panel = await startWithin({ opensAt: 10 });
    await panel.pass(11);
    expect(panel.text()).not.toMatch(/Open now|We're back/);
  });
});
