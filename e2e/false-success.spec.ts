import { type Browser, expect as patient, test } from "@playwright/test";
import { CLAIMS, type ClaimWatch, watchClaims } from "./kit/claims.ts";
import { type Stage, startStage, type Visitor } from "./kit/stage.ts";
import type { Endpoint } from "./upstream/endpoint.ts";
import { FAULT_NAMES, FAULTS, type FaultName } from "./upstream/faults.ts";
import type { MockOptions } from "./upstream/mock.ts";
import { UPSTREAM_TEXT } from "./upstream/wire.ts";

test.describe.configure({ mode: "parallel" });
test.setTimeout(180_000);
// On a busy machine a fault takes as long as it takes; nothing here is about time.
const expect = patient.configure({ timeout: 30_000 });

/** What the panel calls a doubt. */
const DOUBT = /not confirmed|could not be confirmed|could not reach support/i;
const QUESTION = "Where is my lamp?";
/** The mark on a confirmed message, beside its time. */
const SENT = /\bSent\b/;

/** One thing that a customer does, and the call that it needs. */
interface Act {
  readonly rule: string;
  readonly endpoint: Endpoint;
  /** The BFF's address that it goes to. */
  readonly address: RegExp;
  readonly words: RegExp;
  readonly before: (visitor: Visitor) => Promise<void>;
  readonly act: (visitor: Visitor) => Promise<void>;
  readonly again: (visitor: Visitor) => Promise<void>;
  /** What must still stand there in doubt. */
  readonly kept?: string;
  readonly done: (visitor: Visitor) => Promise<void>;
}

const converse = async ({ panel }: Visitor) => {
  await panel.say("How long does delivery take?");
  const answer = panel.log.getByText("2 to 4 business days").first();
  // So many calls failed in the test before that the BFF may keep this one back for some seconds, as it says.
  await expect(async () => {
    if (await panel.button("Retry").isVisible()) await panel.button("Retry").click();
    await expect(answer).toBeVisible({ timeout: 3_000 });
  }).toPass({ timeout: 30_000 });
};
const retry = ({ panel }: Visitor) => panel.button("Retry").click();
const TRY_AGAIN_MS = 20_000;
/** Bounded: where the panel's own try came first there is no button any more, and the caller looks again. */
const tryAgain = ({ panel }: Visitor) =>
  panel.frame
    .getByRole("button", { name: /^(Retry|Try again)$/ })
    .first()
    .click({ timeout: TRY_AGAIN_MS });
const isSent = async ({ panel }: Visitor) => {
  await expect(panel.log.getByText("Not confirmed")).toHaveCount(0);
  await expect(panel.log.getByText(SENT).last()).toBeVisible();
  await expect(panel.log.getByText(QUESTION)).toHaveCount(1);
};
const ask = ({ panel }: Visitor) => panel.say(QUESTION);

function messageAct(endpoint: Endpoint, address: RegExp, before: Act["before"]): Act {
  const message = { words: CLAIMS.message, act: ask, again: retry, kept: QUESTION, done: isSent };
  return { rule: "R51", endpoint, address, before, ...message };
}
/** Nothing, but that the session is there: a fault set before that would meet its start, and not the act. */
const nothing = ({ started }: Visitor) => started();

const ACTS: readonly (Act & { readonly name: string })[] = [
  { name: "the first message", ...messageAct("conversations", /\/api\/conversation$/, nothing) },
  { name: "the first message", ...messageAct("turns", /\/api\/conversation(\/messages)?$/, nothing) },
  { name: "a later message", ...messageAct("turns", /\/api\/conversation(\/messages)?$/, converse) },
  {
    name: "asking for a person",
    rule: "R52",
    endpoint: "handoffs",
    address: /\/api\/conversation\/handoff$/,
    words: CLAIMS.person,
    before: converse,
    act: ({ panel }) => panel.button("Talk to a person").click(),
    again: tryAgain,
    done: ({ panel }) => expect(panel.frame.getByText(/a person has been asked/i).first()).toBeVisible(),
  },
  {
    name: "the end",
    rule: "R53",
    endpoint: "endConversation",
    address: /\/api\/conversation$/,
    words: CLAIMS.end,
    before: converse,
    act: async ({ panel }) => {
      await panel.button("End conversation").click();
      await panel.frame.getByRole("alertdialog").getByRole("button", { name: "End conversation" }).click();
    },
    again: tryAgain,
    done: ({ panel }) => expect(panel.frame.getByText(/conversation has ended/i).first()).toBeVisible(),
  },
];

/** What a whole service does beside the conversation itself: met side by side. */
const ASIDE: readonly Act[] = [
  {
    rule: "ATT9",
    endpoint: "attachments",
    address: /\/api\/conversation\/attachments$/,
    words: CLAIMS.file,
    before: converse,
    act: ({ panel }) =>
      panel.frame
        .locator('input[type="file"]')
        .setInputFiles([
          { name: "letter.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.7\n") },
        ]),
    again: tryAgain,
    kept: "letter.pdf",
    done: async ({ panel }) => {
      await expect(panel.button("Remove letter.pdf")).toBeVisible();
      await expect(panel.button("Send")).toHaveAttribute("aria-disabled", "false");
    },
  },
  {
    rule: "RATE2",
    endpoint: "ratings",
    address: /\/api\/conversation\/rating$/,
    words: CLAIMS.rating,
    before: async (visitor) => {
      const { panel } = visitor;
      await converse(visitor);
      await panel.button("End conversation").click();
      await panel.frame.getByRole("alertdialog").getByRole("button", { name: "End conversation" }).click();
      await panel.frame.getByRole("radio", { name: "Good" }).check();
    },
    act: ({ panel }) => panel.button("Send rating").click(),
    again: tryAgain,
    done: ({ panel }) => expect(panel.frame.getByText("Your rating has arrived").first()).toBeVisible(),
  },
  {
    rule: "ERASE2",
    endpoint: "eraseConversation",
    address: /\/api\/conversation\/content$/,
    words: CLAIMS.erasure,
    before: converse,
    act: async ({ panel }) => {
      await panel.button("More").click();
      await panel.button("Delete my conversation").click();
      await panel.frame
        .getByRole("alertdialog")
        .getByRole("button", { name: "Delete my conversation" })
        .click();
    },
    again: tryAgain,
    kept: "2 to 4 business days",
    done: async ({ panel }) => {
      await expect(panel.frame.getByText("The conversation has been deleted.").first()).toBeVisible();
      await expect(panel.log).not.toContainText("2 to 4 business days");
    },
  },
];

/** The steps of a session's start: what is written meanwhile waits, and nothing is claimed of it. */
const SESSION_ENDPOINTS: readonly Endpoint[] = ["identify", "sessions", "supportSelection"];

/** Where the address breaks, and what the service still answers before. */
const BROKEN_BEHIND: readonly (readonly [Endpoint, Endpoint?])[] = [
  ["identify"],
  ["sessions", "identify"],
  ["supportSelection", "capabilities"],
];

/** So many failures follow each other before the service is well again: fewer than any breaker needs to open. */
const AT_A_TIME = 4;
/** These take as long as the BFF's patience: they are waited for side by side. */
const LONG: readonly FaultName[] = ["hang", "never-ending-body"];

/** Every other fault that must fail there, in groups for one visitor each. */
function groupsFor(endpoint: Endpoint): readonly FaultName[][] {
  const short = FAULT_NAMES.filter(
    (fault) => FAULTS[fault].verdict(endpoint) === "fails" && fault !== "tls-error" && !LONG.includes(fault),
  );
  const groups: FaultName[][] = [];
  for (let from = 0; from < short.length; from += AT_A_TIME) groups.push(short.slice(from, from + AT_A_TIME));
  return groups;
}

/** Holds a stage to the contract, and makes it well again. */
async function settle({ mock }: Stage): Promise<void> {
  await mock.clearFaults();
  expect(mock.violations).toEqual([]);
  expect(mock.canaryCalls).toEqual([]);
}

/** Starts a stage for the tests of one describe, and holds it to the contract after each of them. */
function useStage(options: MockOptions): () => Stage {
  let stage: Stage | undefined;
  const current = () => {
    if (!stage) throw new Error("no stage");
    return stage;
  };
  test.beforeAll(async () => {
    stage = await startStage(options);
  });
  test.afterEach(() => settle(current()));
  test.afterAll(() => stage?.dispose());
  return current;
}

/** One try under a fault: a doubt, what was written still there, and no claim that came or stayed. */
async function expectDoubt(stage: Stage, visitor: Visitor, act: Act, attempt: Act["act"]): Promise<void> {
  const { page, panel } = visitor;
  const watch = await watchClaims(page, act.words);
  const answered = page.waitForResponse((answer) => act.address.test(new URL(answer.url()).pathname));
  await attempt(visitor);
  expect((await answered).status()).toBeGreaterThanOrEqual(400);
  await expect(panel.frame.getByText(DOUBT).first()).toBeVisible();
  if (act.kept) await expect(panel.frame.getByText(act.kept).first()).toBeVisible();
  expect(await watch.claims()).toEqual([]);
  for (const frame of page.frames()) {
    const html = await frame.content();
    for (const secret of [
      UPSTREAM_TEXT.slice(0, 20),
      ...Object.values(stage.mock.secrets),
      ...stage.mock.state.tokens.keys(),
    ])
      expect(html).not.toContain(secret);
  }
}

/** Keys that turns were sent with, since `from` requests ago. */
function keysSince(stage: Stage, from: number): Set<string> {
  const turns = stage.mock.requests.slice(from).filter(({ endpoint }) => endpoint === "turns");
  return new Set(turns.map(({ body }) => (body as { clientMessageId: string }).clientMessageId));
}

/**
 * Does it again now that the service is well. Where the BFF still keeps calls back, because so many failed, its answer says
 * for how long: then it is done once more behind that time, as the panel asks of the customer.
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
 * A visitor for each act meets one fault after the other, all of them at the same time; then the service is well, and the
 * same things are done once.
 */
async function meet(
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
  const conversations = mock.state.conversations.size;
  for (const [index, fault] of faults.entries()) {
    await mock.clearFaults();
    // Not done behind the fault: where it was, the service's own log may truthfully say so.
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
  // Without turns a message goes with the start of its conversation, and the conversation is what is counted.
  if (mock.kind !== "seven") expect(keysSince(stage, from).size).toBe(messages.length);
  // Whatever a turn met, a 404 too: no conversation beside the one that it belongs to.
  const first = acts.filter(({ before }) => before === nothing);
  expect(mock.state.conversations.size - conversations).toBe(first.length);
  await Promise.all(pairs.map(({ visitor }) => visitor.leave()));
}

test.describe("a whole service", () => {
  const stage = useStage({ kind: "full" });

  for (const act of ACTS) {
    for (const faults of groupsFor(act.endpoint)) {
      test(`${act.rule} ${act.name}, ${act.endpoint}: ${faults.join(", ")}`, async ({ browser }) => {
        await meet(stage(), browser, [act], faults);
      });
    }
  }

  const aside = ASIDE.map(({ rule, endpoint }) => `${rule} ${endpoint}`).join("; ");
  for (const faults of groupsFor("attachments")) {
    test(`${aside}: ${faults.join(", ")}`, async ({ browser }) => {
      await meet(stage(), browser, ASIDE, faults);
    });
  }
  for (const fault of LONG) {
    // A file has two minutes: that long nobody waits here.
    const acts = ASIDE.filter(({ endpoint }) => endpoint !== "attachments");
    test(`${acts.map(({ rule, endpoint }) => `${rule} ${endpoint}`).join("; ")}: ${fault}`, async ({
      browser,
    }) => {
      await meet(stage(), browser, acts, [fault]);
    });
  }

  // What goes by turns apart from the rest: there the conversation must start.
  for (const fault of LONG) {
    for (const acts of [
      ACTS.filter(({ endpoint }) => endpoint !== "turns"),
      ACTS.filter(({ endpoint }) => endpoint === "turns"),
    ]) {
      const names = acts.map(({ rule, name, endpoint }) => `${rule} ${name}, ${endpoint}`);
      test(`${names.join("; ")}: ${fault}`, async ({ browser }) => {
        await meet(stage(), browser, acts, [fault]);
      });
    }
    test(`R51 a session, ${SESSION_ENDPOINTS.join(", ")}: ${fault}`, async ({ browser }) => {
      await waitTogether(
        stage(),
        browser,
        SESSION_ENDPOINTS.map((endpoint) => [endpoint, fault] as const),
      );
    });
  }

  for (const endpoint of SESSION_ENDPOINTS) {
    for (const faults of groupsFor(endpoint)) {
      test(`R51 a session, ${endpoint}: ${faults.join(", ")}`, async ({ browser }) => {
        await meetOnOpening(stage(), browser, endpoint, faults);
      });
    }
  }

  test("R56 a message that went to another conversation stands there, with its answer", async ({
    browser,
  }) => {
    const { mock } = stage();
    const visitor = await stage().visit(browser);
    const { panel } = visitor;
    await converse(visitor);
    // The service has lost the conversation, starts another, and at first takes nothing there.
    mock.setFault("turns", "status-404", { done: false });
    mock.setFault("messages", "status-404", { done: false });
    await ask(visitor);
    await expect(panel.frame.getByText(DOUBT).first()).toBeVisible();
    await mock.clearFaults();
    mock.setFault("turns", "status-500", { done: false });
    const failed = visitor.page.waitForResponse((answer) =>
      /\/api\/conversation(\/messages)?$/.test(answer.url()),
    );
    await retry(visitor);
    expect((await failed).status()).toBeGreaterThanOrEqual(500);
    await mock.clearFaults();
    await retry(visitor);
    await isSent(visitor);
    await expect(panel.log.getByText("2 to 4 business days").last()).toBeVisible();
    const ids = [...mock.state.conversations.keys()];
    const last = mock
      .logOf(ids.at(-1) ?? "")
      .flatMap((event) => ("message" in event ? [event.message.body] : []));
    expect(last).toContain(QUESTION);
    await visitor.leave();
  });

  test("the watch sees a claim when there is one (control)", async ({ browser }) => {
    const { page, panel } = await stage().visit(browser);
    const message = await watchClaims(page, CLAIMS.message);
    await panel.say(QUESTION);
    await expect(panel.log.getByText(SENT).first()).toBeVisible();
    expect(await message.claims()).not.toEqual([]);

    const person = await watchClaims(page, CLAIMS.person);
    await panel.button("Talk to a person").click();
    await expect(panel.frame.getByText(/a person has been asked/i).first()).toBeVisible();
    expect(await person.claims()).not.toEqual([]);
  });
});

test.describe("a service with the older selection alone", () => {
  const stage = useStage({ kind: "provider-only" });

  for (const faults of groupsFor("providerSelection")) {
    test(`R51 a session, providerSelection: ${faults.join(", ")}`, async ({ browser }) => {
      await meetOnOpening(stage(), browser, "providerSelection", faults);
    });
  }

  test(`R51 a session, providerSelection: ${LONG.join(", ")}`, async ({ browser }) => {
    await waitTogether(
      stage(),
      browser,
      LONG.map((fault) => ["providerSelection", fault] as const),
    );
  });
});

test.describe("a service behind TLS", () => {
  const stage = useStage({ kind: "full", tls: true });

  for (const act of ACTS) {
    // A fault of the address hits every call: what stands before this one would not get through either.
    if (act.endpoint === "turns" && act.before === nothing) continue;
    test(`${act.rule} ${act.name}, ${act.endpoint}: tls-error`, async ({ browser }) => {
      await meet(stage(), browser, [act], ["tls-error"]);
    });
  }

  for (const [endpoint, after] of BROKEN_BEHIND) {
    test(`R51 a session, ${endpoint}: tls-error`, async ({ browser }) => {
      await meetOnOpening(stage(), browser, endpoint, ["tls-error"], after);
    });
  }
});

test.describe("a service behind TLS with the older selection alone", () => {
  const stage = useStage({ kind: "provider-only", tls: true });

  test("R51 a session, providerSelection: tls-error", async ({ browser }) => {
    await meetOnOpening(stage(), browser, "providerSelection", ["tls-error"], "supportSelection");
  });
});

/** One fault of each sort: the way from the service to the panel is the one that all of them take above. */
const OF_EACH_SORT: readonly FaultName[] = ["object-200", "accepted-202", "status-503", "reset-in-body"];

test.describe("a service with the seven endpoints alone", () => {
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

/** The panel says that the session can't be had, keeps what was written, and claims nothing of it. */
async function expectUnreachable({ panel }: Visitor, watch: ClaimWatch): Promise<void> {
  await expect(panel.frame.getByText(/could not reach support/i).first()).toBeVisible({ timeout: 60_000 });
  await expect(panel.frame.getByText(QUESTION).first()).toBeVisible();
  expect(await watch.claims()).toEqual([]);
}

/** Support is there again: what waited is delivered. */
async function expectDelivered(visitor: Visitor): Promise<void> {
  const { panel } = visitor;
  // A try of the panel's own may still be on its way into the fault: then there is another doubt, and another Retry.
  await expect(async () => {
    if ((await panel.log.getByText(SENT).count()) === 0) await tryAgain(visitor);
    await expect(panel.log.getByText(SENT).first()).toBeVisible({ timeout: 3000 });
  }).toPass({ timeout: 90_000 });
}

/** How often the service was asked at `endpoint`. */
function askedAt({ mock }: Stage, endpoint: Endpoint): number {
  return mock.requests.filter((request) => request.endpoint === endpoint).length;
}

/** One visitor after the other is held up by their fault; then all of them wait at the same time. */
async function waitTogether(
  stage: Stage,
  browser: Browser,
  faults: readonly (readonly [Endpoint, FaultName])[],
): Promise<void> {
  const { mock } = stage;
  const held: { visitor: Visitor; watch: ClaimWatch }[] = [];
  // From the last step to the first: nobody who comes later passes where another has to be held up.
  for (const [endpoint, fault] of faults.toReversed()) {
    await mock.clearFaults();
    mock.setFault(endpoint, fault, { done: false });
    const before = askedAt(stage, endpoint);
    const visitor = await stage.visit(browser);
    const watch = await watchClaims(visitor.page, CLAIMS.message);
    await ask(visitor);
    await expect.poll(() => askedAt(stage, endpoint)).toBeGreaterThan(before);
    held.push({ visitor, watch });
  }
  // A panel that tries by itself meanwhile is to find nothing better.
  mock.setFault("sessions", "status-503", { done: false });
  await Promise.all(held.map(({ visitor, watch }) => expectUnreachable(visitor, watch)));
  await mock.clearFaults();
  for (const { visitor } of held) await visitor.moveAddress();
  await Promise.all(held.map(({ visitor }) => expectDelivered(visitor)));
  await Promise.all(held.map(({ visitor }) => visitor.leave()));
}

/** The session can't be had: the panel says so, keeps what is written, and delivers it once support is there again. */
async function meetOnOpening(
  stage: Stage,
  browser: Browser,
  endpoint: Endpoint,
  faults: readonly FaultName[],
  /** What the service still answers, where it is its address that breaks. */
  after?: Endpoint,
): Promise<void> {
  const [first, ...others] = faults;
  if (first === undefined) return;
  const options = { done: false, ...(after === undefined ? {} : { after }) };
  const from = stage.mock.requests.length;
  stage.mock.setFault(endpoint, first, options);
  const visitor = await stage.visit(browser);
  const { page, moveAddress } = visitor;
  const watch = await watchClaims(page, CLAIMS.message);
  await ask(visitor);
  await expectUnreachable(visitor, watch);
  if (after !== undefined) {
    const reached = stage.mock.requests.slice(from).map((request) => request.endpoint);
    expect(reached).toContain(after);
    expect(reached).not.toContain(endpoint);
  }
  for (const fault of others) {
    await moveAddress();
    await stage.mock.clearFaults();
    stage.mock.setFault(endpoint, fault, options);
    await test.step(fault, async () => {
      const answered = page.waitForResponse((answer) => answer.url().endsWith("/api/session"));
      await tryAgain(visitor);
      expect((await answered).status()).toBeGreaterThanOrEqual(400);
      await expectUnreachable(visitor, watch);
    });
  }
  await moveAddress();
  await stage.mock.clearFaults();
  await expectDelivered(visitor);
  await visitor.leave();
}
