import { type Browser, expect, test } from "@playwright/test";
import type { Endpoint } from "../upstream/endpoint.ts";
import type { FaultName } from "../upstream/faults.ts";
import { ask, QUESTION, SENT, tryAgain } from "./acts.ts";
import { CLAIMS, type ClaimWatch, watchClaims } from "./claims.ts";
import { askedAt, isMet, secondsToWait, TRIES } from "./meet-faults.ts";
import type { Stage, Visitor } from "./stage.ts";

const UNREACHABLE = /(?:can't|couldn't) reach support/i;
/** Two faults have words of their own; while the circuit is open the panel can't reach support either. */
const OWN_WORDS: { readonly [fault in FaultName]?: RegExp } = {
  "status-429": new RegExp(`${UNREACHABLE.source}|too many requests`, "i"),
  "status-507": new RegExp(`${UNREACHABLE.source}|no space left`, "i"),
};

/** The panel says that the session failed, the text stays, and nothing is claimed about it. */
async function expectFailed({ panel }: Visitor, watch: ClaimWatch, fault?: FaultName): Promise<void> {
  const words = (fault && OWN_WORDS[fault]) ?? UNREACHABLE;
  await expect(panel.frame.getByText(words).first()).toBeVisible({ timeout: 60_000 });
  await expect(panel.frame.getByText(QUESTION).first()).toBeVisible();
  expect(await watch.claims()).toEqual([]);
}

/** Support is available again: the waiting message is delivered. */
async function expectDelivered(visitor: Visitor): Promise<void> {
  const { panel } = visitor;
  // One of the panel's own attempts may still run into the fault: then there is another unconfirmed message, and
  // another Retry.
  await expect(async () => {
    if ((await panel.log.getByText(SENT).count()) === 0) await tryAgain(visitor);
    await expect(panel.log.getByText(SENT).first()).toBeVisible({ timeout: 3000 });
  }).toPass({ timeout: 90_000 });
}

/** One visitor after another is stopped at their endpoint; then all of them wait concurrently. */
export async function waitTogether(
  stage: Stage,
  browser: Browser,
  endpoints: readonly Endpoint[],
  fault: FaultName,
): Promise<void> {
  const { mock } = stage;
  const held: { visitor: Visitor; watch: ClaimWatch }[] = [];
  // From the last step to the first: no later visitor passes a step where another has to be stopped.
  for (const endpoint of endpoints.toReversed()) {
    await mock.clearFaults();
    mock.setFault(endpoint, fault, { done: false });
    const before = askedAt(stage, endpoint);
    const visitor = await stage.visit(browser);
    const watch = await watchClaims(visitor.page, CLAIMS.message);
    await ask(visitor);
    await expect.poll(() => askedAt(stage, endpoint)).toBeGreaterThan(before);
    held.push({ visitor, watch });
  }
  // The panel's own retries meanwhile must find nothing better.
  mock.setFault("sessions", "status-503", { done: false });
  await Promise.all(held.map(({ visitor, watch }) => expectFailed(visitor, watch)));
  await mock.clearFaults();
  for (const { visitor } of held) await visitor.moveAddress();
  await Promise.all(held.map(({ visitor }) => expectDelivered(visitor)));
  await Promise.all(held.map(({ visitor }) => visitor.leave()));
}

/** The session fails: the panel says so, the text stays, and it is delivered once support is available again. */
export async function meetOnOpening(
  stage: Stage,
  browser: Browser,
  endpoint: Endpoint,
  faults: readonly FaultName[],
): Promise<void> {
  const [first, ...others] = faults;
  if (first === undefined) return;
  const options = { done: false };
  const asked = askedAt(stage, endpoint);
  stage.mock.setFault(endpoint, first, options);
  const visitor = await stage.visit(browser);
  const { page, moveAddress } = visitor;
  const watch = await watchClaims(page, CLAIMS.message);
  await ask(visitor);
  await expectFailed(visitor, watch, first);
  expect(askedAt(stage, endpoint)).toBeGreaterThan(asked);
  for (const fault of others) {
    await moveAddress();
    await stage.mock.clearFaults();
    stage.mock.setFault(endpoint, fault, options);
    await test.step(fault, async () => {
      for (let tries = 1; ; tries += 1) {
        const before = askedAt(stage, endpoint);
        const answered = page.waitForResponse((answer) => answer.url().endsWith("/api/session"));
        await tryAgain(visitor);
        const answer = await answered;
        expect(answer.status()).toBeGreaterThanOrEqual(400);
        await expectFailed(visitor, watch, fault);
        if (isMet(stage, endpoint, fault, before, answer)) break;
        expect([fault, tries]).not.toEqual([fault, TRIES]);
        await page.waitForTimeout(secondsToWait(answer) * 1000);
      }
    });
  }
  await moveAddress();
  await stage.mock.clearFaults();
  await expectDelivered(visitor);
  await visitor.leave();
}
