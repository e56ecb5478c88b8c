import { type Browser, expect, test } from "@playwright/test";
import type { FaultName } from "../upstream/faults.ts";
import { UPSTREAM_TEXT } from "../upstream/wire.ts";
import { type Act, DOUBT, nothing } from "./acts.ts";
import { CLAIMS, watchClaims } from "./claims.ts";
import type { Stage, Visitor } from "./stage.ts";

/** One attempt under a fault: the message is unconfirmed, the text is still there, and no false claim was shown. */
async function expectDoubt(stage: Stage, visitor: Visitor, act: Act, attempt: Act["act"]): Promise<void> {
  const { page, panel } = visitor;
  const watch = await watchClaims(page, act.words);
  const answered = page.waitForResponse((answer) => act.address.test(new URL(answer.url()).pathname));
  await attempt(visitor);
  expect((await answered).status()).toBeGreaterThanOrEqual(400);
  await expect(panel.frame.getByText(DOUBT).first()).toBeVisible();
  if (act.kept) await expect(panel.frame.getByText(act.kept).first()).toBeVisible();
  expect(await watch.claims()).toEqual([]);
  const { secrets, tokens } = stage.mock;
  const hidden = [UPSTREAM_TEXT.slice(0, 20), ...Object.values(secrets), ...tokens.keys()];
  for (const frame of page.frames()) {
    const html = await frame.content();
    // One expectation for all of them, because each costs about a millisecond.
    expect(hidden.filter((secret) => html.includes(secret))).toEqual([]);
  }
}

/** Keys of the turns that were sent, ignoring the first `from` requests. */
function keysSince(stage: Stage, from: number): Set<string> {
  const turns = stage.mock.requests.slice(from).filter(({ endpoint }) => endpoint === "turns");
  return new Set(turns.map(({ body }) => (body as { clientMessageId: string }).clientMessageId));
}

/**
 * Does it again now that the service is healthy. If the BFF still refuses calls after so many failures, its answer says
 * for how long; then the call is repeated after that time, as the panel asks the customer to do.
 */
async function againUntilServed(visitor: Visitor, act: Act): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const answered = visitor.page.waitForResponse((one) => act.address.test(new URL(one.url()).pathname));
    await act.again(visitor);
    const answer = await answered;
    const wait = Number(answer.headers()["retry-after"] ?? "0");
    if (answer.ok() || wait === 0 || attempt === 3) return;
    await visitor.page.waitForTimeout(wait * 1000);
  }
}

/**
 * One visitor per act meets one fault after another, all of them concurrently; then the service is healthy, and the
 * same things are done once.
 */
export async function meet(
  stage: Stage,
  browser: Browser,
  acts: readonly Act[],
  faults: readonly FaultName[],
): Promise<void> {
  const { mock } = stage;
  const pairs = await Promise.all(
    acts.map(async (act) => {
      const visitor = await stage.visit(browser);
      await act.before(visitor);
      return { act, visitor };
    }),
  );
  const from = mock.requests.length;
  const conversations = mock.conversations.size;
  for (const [index, fault] of faults.entries()) {
    await mock.clearFaults();
    // Not done despite the fault: otherwise the service's own log may truthfully say so.
    for (const { endpoint } of acts) mock.setFault(endpoint, fault, { done: false });
    await test.step(fault, () =>
      Promise.all(
        pairs.map(({ act, visitor }) => expectDoubt(stage, visitor, act, index === 0 ? act.act : act.again)),
      ),
    );
  }
  await mock.clearFaults();
  await Promise.all(
    pairs.map(async ({ act, visitor }) => {
      await againUntilServed(visitor, act);
      await act.done(visitor);
    }),
  );
  const messages = acts.filter(({ words }) => words === CLAIMS.message);
  // Without turns a message is sent with the start of its conversation, so conversations are counted.
  if (mock.kind !== "seven") expect(keysSince(stage, from).size).toBe(messages.length);
  // Whatever a turn met, even a 404: no other conversation than the one that it belongs to.
  const first = acts.filter(({ before }) => before === nothing);
  expect(mock.conversations.size - conversations).toBe(first.length);
  await Promise.all(pairs.map(({ visitor }) => visitor.leave()));
}
