import { expect, test } from "@playwright/test";
import { ACTS, ASIDE, ask, converse, DOUBT, isSent, nothing, QUESTION, SENT } from "./kit/acts.ts";
import { CLAIMS, watchClaims } from "./kit/claims.ts";
import { ENDLESS, faultsAt, useStage } from "./kit/fault-groups.ts";
import { againUntilServed, askedAt, isMet, meet } from "./kit/meet-faults.ts";
import type { Visitor } from "./kit/stage.ts";
import type { FaultName } from "./upstream/faults.ts";

test.describe.configure({ mode: "parallel" });

test.describe("a whole service", () => {
  const stage = useStage({ kind: "full" });

  for (const act of ACTS) {
    const faults = faultsAt(act.endpoint);
    test(`${act.rule} ${act.name}, ${act.endpoint}: ${faults.join(", ")}`, async ({ browser }) => {
      await meet(stage(), browser, [act], faults);
    });
  }

  const aside = ASIDE.map(({ rule, endpoint }) => `${rule} ${endpoint}`).join("; ");
  const besides = faultsAt("attachments");
  test(`${aside}: ${besides.join(", ")}`, async ({ browser }) => {
    await meet(stage(), browser, ASIDE, besides);
  });
  // A file upload has two minutes, which is too long for this test. Calls whose order matters are tested separately,
  // because their conversation must start first.
  for (const acts of [
    ASIDE.filter(({ endpoint }) => endpoint !== "attachments"),
    ACTS.filter(({ endpoint }) => endpoint !== "turns"),
    ACTS.filter(({ endpoint }) => endpoint === "turns"),
  ]) {
    const names = acts.map(({ rule, endpoint }) => `${rule} ${endpoint}`).join("; ");
    test(`${names}: ${ENDLESS}`, async ({ browser }) => {
      await meet(stage(), browser, acts, [ENDLESS]);
    });
  }

  test("a message that went to another conversation is shown, with its answer", async ({ browser }) => {
    const { mock } = stage();
    const visitor = await stage().visit(browser);
    const { panel } = visitor;
    await converse(visitor);
    // The service has lost the conversation, starts another, and at first accepts nothing there.
    mock.setFault("turns", "status-404", { done: false });
    mock.setFault("messages", "status-404", { done: false });
    await ask(visitor);
    await expect(panel.frame.getByText(DOUBT).first()).toBeVisible();
    await mock.clearFaults();
    mock.setFault("turns", "status-500", { done: false });
    const failed = visitor.page.waitForResponse((answer) =>
      /\/api\/conversation(\/messages)?$/.test(answer.url()),
    );
    // Its first message is no longer confirmed, and goes before this one.
    const first = panel.button("Retry").first();
    await first.click();
    expect((await failed).status()).toBeGreaterThanOrEqual(500);
    await mock.clearFaults();
    await expect(async () => {
      if (await first.isVisible()) await first.click({ timeout: 3000 });
      await expect(panel.log.getByText("Not confirmed")).toHaveCount(0, { timeout: 3000 });
    }).toPass({ timeout: 90_000 });
    await isSent(visitor);
    await expect(panel.log.getByText("2 to 4 business days").last()).toBeVisible();
    const ids = [...mock.conversations.keys()];
    const last = mock
      .logOf(ids.at(-1) ?? "")
      .flatMap((event) => ("message" in event ? [event.message.body] : []));
    expect(last).toContain(QUESTION);
    await visitor.leave();
  });

  test("a fault that an open circuit keeps away does not count as met (control)", async ({ browser }) => {
    const act = ACTS.find(({ endpoint }) => endpoint === "conversations");
    if (!act) throw new Error("nothing to do");
    const visitor = await stage().visit(browser);
    await act.before(visitor);
    stage().mock.setFault(act.endpoint, "status-500", { done: false });
    const met: boolean[] = [];
    while (met.length < 6) {
      const before = askedAt(stage(), act.endpoint);
      const answered = visitor.page.waitForResponse((one) => act.address.test(new URL(one.url()).pathname));
      await (met.length === 0 ? act.act : act.again)(visitor);
      met.push(isMet(stage(), act.endpoint, "status-500", before, await answered));
      await expect(visitor.panel.frame.getByText(DOUBT).first()).toBeVisible();
    }
    expect([met[0], met[5]]).toEqual([true, false]);
    await stage().mock.clearFaults();
    // The next test needs a closed circuit.
    await againUntilServed(visitor, act);
    await act.done(visitor);
    await visitor.leave();
  });

  test("a false claim is detected (control)", async ({ browser }) => {
    const { page, panel } = await stage().visit(browser);
    const message = await watchClaims(page, CLAIMS.message);
    await panel.say(QUESTION);
    await expect(panel.log.getByText(SENT).first()).toBeVisible();
    expect(await message.claims()).not.toEqual([]);
    // The panel's document contains what was asked, so a secret there would be found as well.
    expect(await message.claims([QUESTION])).toContain(`secret: ${QUESTION}`);

    const feedback = await watchClaims(page, CLAIMS.feedback);
    await panel.button("Helpful").click();
    await expect(panel.button("Helpful")).toHaveAttribute("aria-pressed", "true");
    expect(await feedback.claims()).not.toEqual([]);

    const person = await watchClaims(page, CLAIMS.person);
    await panel.button("Talk to a person").click();
    await expect(panel.frame.getByText(/we've asked a teammate/i).first()).toBeVisible();
    expect(await person.claims()).not.toEqual([]);
  });
});

/** One fault of each sort, because above all of them take the same way from the service to the panel. */
const OF_EACH_SORT: readonly FaultName[] = ["object-200", "accepted-202", "status-503", "reset-in-body"];

test.describe("a service with only the seven endpoints", () => {
  const stage = useStage({ kind: "seven" });
  const sayFirst = async ({ panel }: Visitor) => {
    await panel.say(QUESTION);
    await expect(panel.log.getByText(SENT).first()).toBeVisible();
  };

  for (const act of ACTS) {
    if (act.endpoint === "turns") continue;
    const before = act.before === nothing ? nothing : sayFirst;
    test(`${act.rule} ${act.name}, ${act.endpoint}: ${OF_EACH_SORT.join(", ")}`, async ({ browser }) => {
      await meet(stage(), browser, [{ ...act, before }], OF_EACH_SORT);
    });
  }
});
