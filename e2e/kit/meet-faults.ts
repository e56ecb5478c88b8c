import { type Browser, expect, type Response, test } from "@playwright/test";
import type { Endpoint } from "../upstream/endpoint.ts";
import { type FaultName, isAddressFault } from "../upstream/faults.ts";
import { UPSTREAM_TEXT } from "../upstream/wire.ts";
import { type Act, DOUBT, nothing } from "./acts.ts";
import { CLAIMS, watchClaims } from "./claims.ts";
import type { Stage, Visitor } from "./stage.ts";

/** The number of tries while the BFF itself refuses, each after the seconds that it names. */
export const TRIES = 3;

/** The seconds after which the BFF asks for another try; 0 if it does not. */
export const secondsToWait = (answer: Response) => Number(answer.headers()["retry-after"] ?? "0");

/** How many calls the service got at each endpoint. */
export function askedAt({ mock }: Stage, endpoint: Endpoint): number {
  return mock.requests.filter((request) => request.endpoint === endpoint).length;
}

/**
 * Whether a call met `fault` after the first `before` calls. Nobody sees a call to an address that refuses; but only an
 * open circuit names a time then.
 */
export function isMet(
  stage: Stage,
  endpoint: Endpoint,
  fault: FaultName,
  before: number,
  answer: Response,
): boolean {
  return isAddressFault(fault) ? secondsToWait(answer) === 0 : askedAt(stage, endpoint) > before;
}

/**
 * One fault: every act under it stays in doubt. A call that an open circuit did not let through is tried again, because
 * the visitor has to meet the fault itself.
 */
async function meetFault(
  stage: Stage,
  visitor: Visitor,
  act: Act,
  fault: FaultName,
  attempt: Act["act"],
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const before = askedAt(stage, act.endpoint);
    const answer = await expectDoubt(stage, visitor, act, tries === 1 ? attempt : act.again);
    if (isMet(stage, act.endpoint, fault, before, answer)) return;
    expect([fault, tries]).not.toEqual([fault, TRIES]);
    await visitor.page.waitForTimeout(secondsToWait(answer) * 1000);
  }
}

/** One attempt under a fault: the message is unconfirmed, the text is still there, and no false claim was shown. */
async function expectDoubt(stage: Stage, visitor: Visitor, act: Act, attempt: Act["act"]): Promise<Response> {
  const { page, panel } = visitor;
  const watch = await watchClaims(page, act.words);
  const answered = page.waitForResponse((answer) => act.address.test(new URL(answer.url()).pathname));
  await attempt(visitor);
  const answer = await answered;
  expect(answer.status()).toBeGreaterThanOrEqual(400);
  await expect(panel.frame.getByText(DOUBT).first()).toBeVisible();
  if (act.kept) await expect(panel.frame.getByText(act.kept).first()).toBeVisible();
  const { secrets, tokens } = stage.mock;
  const hidden = [UPSTREAM_TEXT.slice(0, 20), ...Object.values(secrets), ...tokens.keys()];
  expect(await watch.claims(hidden)).toEqual([]);
  return answer;
}

/** Keys of the turns that were sent, ignoring the first `from` requests. */
function keysSince(stage: Stage, from: number): Set<string> {
  const turns = stage.mock.requests.slice(from).filter(({ endpoint }) => endpoint === "turns");
  return new Set(turns.map(({ body }) => (body as { clientMessageId: string }).clientMessageId));
}

/**
 * Repeats the act now that the service is healthy. If the BFF still refuses calls after the failures, its answer says
 * for how long; the call is repeated after that time, as the panel asks the customer to do.
 */
export async function againUntilServed(visitor: Visitor, act: Act): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const answered = visitor.page.waitForResponse((one) => act.address.test(new URL(one.url()).pathname));
    await act.again(visitor);
    const answer = await answered;
    const wait = secondsToWait(answer);
    if (answer.ok() || wait === 0 || attempt === TRIES) return;
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
        pairs.map(({ act, visitor }) =>
          meetFault(stage, visitor, act, fault, index === 0 ? act.act : act.again),
        ),
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
