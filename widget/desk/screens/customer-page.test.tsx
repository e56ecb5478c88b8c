import { describe, expect, it } from "vitest";
import type { DeskCustomerPage } from "../../../shared/desk.ts";
import { all, eventually, everything, one } from "../testing/by-role.ts";
import { createKit, type Kit, openedOn, settled, signedInKit, until } from "../testing/desk-kit.ts";
import { ANA, at, rowOf, SAM, waiting } from "../testing/samples.ts";
import { json, problem } from "../testing/scripted-service.ts";
import { showDesk } from "./show-desk.test-kit.tsx";

type Known = Extract<DeskCustomerPage, { conversations: unknown }>;
const ADDRESS = "#customer=cus_ana";
const ROUTE = "GET /customers/cus_ana";

const page = (more: Partial<Known> = {}): Known => ({
  id: "cus_ana",
  customer: {
    ...waiting().customer,
    team: { email: "ana@home.example" },
    locale: "de-AT",
    startedFrom: { page: "/pricing", browser: "Chrome" },
  },
  contact: { email: "ana@work.example" },
  presence: { online: true },
  firstSeenAt: at(-600),
  lastSeenAt: at(2),
  conversations: [
    {
      id: ANA,
      status: "open",
      state: "waiting",
      startedAt: at(0),
      lastAt: at(3),
      firstWords: "My lamp is broken",
      lastWords: "My lamp is broken",
    },
    {
      id: "cnv_1",
      status: "ended",
      state: "ended",
      startedAt: at(-60),
      lastAt: at(-50),
      firstWords: "Do you ship to Bern?",
      lastWords: "We do, in two days.",
      answeredBy: { role: "human", name: "Mira Chen" },
      rating: { score: "up", comment: "Fast" },
    },
  ],
  ...more,
});

async function show(change: (kit: Kit) => void = () => undefined): Promise<Kit> {
  const start = createKit();
  const old = waiting({ id: "cnv_1", state: "ended", status: "ended" });
  start.service.state.conversations = [waiting(), old];
  start.service.state.customers = [page()];
  change(start);
  return showDesk(await openedOn(start, ANA));
}
const visit = async (kit: Kit) => {
  kit.desk.follow(ADDRESS);
  await eventually("heading", "Conversations");
};

describe("DESK24 the page of a customer", () => {
  it("is one press away from the row and from the open conversation", async () => {
    await show();
    const links = all("link", "All about Ana Ruiz").map((link) => link.getAttribute("href"));
    // The row that the list shows, and the head of the conversation.
    expect(links).toEqual([ADDRESS, ADDRESS]);
    expect(one("link", "All about this customer").getAttribute("href")).toBe(ADDRESS);
    expect(all("link", "All about Ana Ruiz").map(({ tabIndex }) => tabIndex)).toEqual([0, 0]);
  });

  it("says who they are, who says so, and how each conversation ended", async () => {
    const kit = await show();
    await visit(kit);
    expect(document.activeElement).toBe(one("heading", "Ana Ruiz"));
    const text = everything().replace(/\s+/g, " ");
    for (const said of [
      "Identified by the site",
      "Online now",
      "ana@example.com Not verified",
      "ana@work.example Unverified, typed by the customer",
      "ana@home.example Typed by the team",
      "German",
      "Chrome",
      "/pricing",
      "Member",
    ])
      expect(text).toContain(said);
    expect(one("button", /ship to Bern/).textContent).toMatch(
      /^Do you ship to Bern\?Last: We do, in two days\.Ended.*Answered by Mira ChenRated helpful by the customerFast$/,
    );
    one("button", /ship to Bern/).click();
    await until(() => kit.board.openedId.value === "cnv_1" && all("log", "Conversation").length === 1);
    expect(kit.desk.fragment.value).toBe("#conversation=cnv_1");
  });

  it("has an address that survives a reload, and a session that ends", async () => {
    const kit = createKit();
    kit.service.state.customers = [page()];
    kit.desk.follow(ADDRESS);
    await showDesk(await signedInKit(kit));
    await eventually("heading", "Ana Ruiz");
    expect(kit.desk.fragment.value).toBe(ADDRESS);
    kit.service.state.signedIn = false;
    await kit.desk.customer.readAgain();
    await until(() => all("button", "Sign in").length === 1);
    expect(everything()).not.toContain("Ana Ruiz");
    expect(kit.desk.fragment.value).toBeUndefined();
    await kit.desk.signIn({ email: "sam@shop.example", password: "seven quiet harbour stones" });
    await eventually("heading", "Ana Ruiz");
    kit.desk.follow("");
    await until(() => all("heading", "Ana Ruiz").length === 0 && kit.desk.page.value === "board");
    kit.desk.follow(ADDRESS);
    await kit.desk.signOut();
    await kit.desk.signIn({ email: "sam@shop.example", password: "seven quiet harbour stones" });
    expect(kit.desk.page.value).toBe("board");
  });

  it("leads back to the customer's row, which takes the focus", async () => {
    const kit = await showDesk(await signedInKit());
    kit.service.state.customers = [page()];
    await visit(kit);
    kit.desk.follow("");
    await until(() => all("heading", "Ana Ruiz").length === 0);
    await until(() => document.activeElement === one("button", /^Ana Ruiz/));
  });

  it("is read again when the queue has news of them, and of nobody else", async () => {
    const kit = await show();
    await visit(kit);
    await settled();
    const before = kit.service.callsOf(ROUTE).length;
    const row = rowOf(waiting(), { lastSeq: 9 });
    kit.service.push({
      type: "queue.changed",
      conversation: { ...row, id: "cnv_bob", customerId: "cus_bob" },
    });
    await settled();
    expect(kit.service.callsOf(ROUTE)).toHaveLength(before);
    kit.service.state.customers = [page({ conversations: [] })];
    kit.service.push({ type: "queue.changed", conversation: row });
    await until(() => everything().includes("There are no conversations with this customer."));
  });

  it("SAY2 after the last page the focus is on its first conversation", async () => {
    const kit = await show();
    const { conversations } = page();
    const first = page({ conversations: conversations.slice(0, 1), next: "2" });
    kit.service.script(ROUTE, () => json(first));
    kit.service.script(`${ROUTE}?after=2`, () => json(page({ conversations: conversations.slice(1) })));
    await visit(kit);
    // The heading takes the focus first.
    await settled();
    const more = await eventually("button", "Show more");
    more.focus();
    more.click();
    const row = await eventually("button", /ship to Bern/);
    await until(() => document.activeElement === row);
  });

  it("says after the next page what the first one said of who is there", async () => {
    const kit = await show();
    const { conversations } = page();
    kit.service.script(ROUTE, () => json(page({ conversations: conversations.slice(0, 1), next: "2" })));
    const rest = page({ conversations: conversations.slice(1) });
    kit.service.script(`${ROUTE}?after=2`, () =>
      json({ ...rest, presence: { online: false, lastSeenAt: at(-50) } }),
    );
    await visit(kit);
    expect(everything()).toContain("Online now");
    (await eventually("button", "Show more")).click();
    await eventually("button", /ship to Bern/);
    expect(everything()).toContain("Online now");
  });

  it("keeps as many conversations as were shown when the queue has news of them", async () => {
    const kit = await show();
    const { conversations } = page();
    const first = () => json(page({ conversations: conversations.slice(0, 1), next: "2" }));
    const rest = () => json(page({ conversations: conversations.slice(1) }));
    kit.service.script(ROUTE, first, first);
    kit.service.script(`${ROUTE}?after=2`, rest, rest);
    await visit(kit);
    (await eventually("button", "Show more")).click();
    await eventually("button", /ship to Bern/);
    kit.service.push({ type: "queue.changed", conversation: rowOf(waiting(), { lastSeq: 9 }) });
    await until(() => kit.service.callsOf(ROUTE).length === 2);
    await settled();
    expect(all("button", /ship to Bern/)).toHaveLength(1);
    expect(all("button", "Show more")).toEqual([]);
  });

  it("ERASE1 shows no erased conversation, also one that the list does not have", async () => {
    const kit = await show(({ service }) => {
      service.state.conversations = [waiting()];
    });
    await visit(kit);
    await eventually("button", /ship to Bern/);
    kit.service.script(ROUTE, () => problem("unavailable"));
    const erased = { type: "conversation.erased" } as const;
    for (const conversationId of ["cnv_1", "cnv_1", "cnv_of_another"])
      kit.service.push({ type: "conversation.event", conversationId, event: erased });
    await until(() => kit.board.erased.value.has("cnv_of_another"));
    await until(() => !everything().includes("ship to Bern"));
    expect(kit.service.callsOf(ROUTE)).toHaveLength(2);
  });

  it.each([
    ["first page", page(), ROUTE, undefined],
    [
      "next page",
      page({ conversations: page().conversations.slice(0, 1), next: "2" }),
      `${ROUTE}?after=2`,
      "Show more",
    ],
  ])(
    "ERASE1 a conversation that is erased while the %s is read is not shown",
    async (_, first, held, button) => {
      const kit = await show(({ service }) => {
        service.state.conversations = [waiting()];
      });
      const { promise, resolve } = Promise.withResolvers<void>();
      if (button !== undefined) kit.service.script(ROUTE, () => json(first));
      kit.service.script(held, () =>
        promise.then(() => json(page({ conversations: page().conversations.slice(1) }))),
      );
      kit.desk.follow(ADDRESS);
      if (button !== undefined) (await eventually("button", button)).click();
      await until(() => kit.service.callsOf(held).length === 1);
      const erased = { type: "conversation.erased" } as const;
      kit.service.push({ type: "conversation.event", conversationId: "cnv_1", event: erased });
      await until(() => kit.board.erased.value.has("cnv_1"));
      resolve();
      await until(() => kit.desk.customer.reading.value === "ready");
      expect(everything()).toContain("Ana Ruiz");
      expect(everything()).not.toContain("ship to Bern");
    },
  );

  it("ERASE1 shows nothing of a customer who is gone once the desk is connected again", async () => {
    const start = createKit();
    start.service.state.conversations = [];
    start.service.state.customers = [page()];
    const kit = await showDesk(await signedInKit(start));
    await visit(kit);
    kit.service.state.customers = [];
    kit.service.breakLines();
    await until(() => kit.board.connection.value === "waiting");
    kit.timers.advance(60_000);
    await until(() => everything().includes("We couldn't find this customer."));
    expect(everything()).not.toContain("Ana Ruiz");
  });

  it("is read once after a disconnection, also if the customer wrote meanwhile", async () => {
    const kit = await show();
    await visit(kit);
    await settled();
    kit.service.breakLines();
    await until(() => kit.board.connection.value === "waiting");
    await settled();
    const before = kit.service.callsOf(ROUTE).length;
    kit.service.state.conversations = [waiting({ lastSeq: 9 })];
    kit.timers.advance(60_000);
    await until(() => kit.board.queue.value.some(({ lastSeq }) => lastSeq === 9));
    await settled();
    expect(kit.service.callsOf(ROUTE)).toHaveLength(before + 1);
  });

  it("shows the id of an anonymous visitor, with which an operator finds their data", async () => {
    const kit = await show();
    const customer = { externalId: "anon_8f3k2", identified: false, traits: {} };
    kit.service.state.customers = [page({ customer })];
    await visit(kit);
    expect(everything()).toMatch(/Customer ID\s*anon_8f3k2/);
  });

  it("shows nothing of it to the next person, who opened a one-time link in this window", async () => {
    const kit = await show();
    await visit(kit);
    await kit.desk.openLink("s3cret");
    kit.service.script(ROUTE, () => new Promise(() => undefined));
    await kit.desk.setUp({ email: SAM.email, name: SAM.name, password: "a long enough one" });
    await until(() => everything().includes("Loading the customer…"));
    expect(everything()).not.toContain("Ana Ruiz");
  });

  it("says that a customer was erased, does not exist, or could not be read", async () => {
    const kit = await show();
    await visit(kit);
    kit.service.state.customers = [{ id: "cus_ana", erasedAt: at(5) }];
    await kit.desk.customer.readAgain();
    await until(() => /This customer's data was deleted on .+\./.test(everything()));
    expect(everything()).not.toContain("Ana Ruiz");
    kit.desk.follow("#customer=cus_none");
    await until(() => everything().includes("We couldn't find this customer."));
    kit.service.script("GET /customers/cus_other", () => problem("unavailable"));
    kit.desk.follow("#customer=cus_other");
    await until(() => everything().includes("We couldn't load this customer."));
    kit.service.state.customers = [page({ id: "cus_other" })];
    one("button", "Try again").click();
    await eventually("heading", "Ana Ruiz");
  });

  it("an answer about another customer is not shown", async () => {
    const kit = await show(({ service }) =>
      service.script(ROUTE, () => Response.json({ ...page(), id: "cus_bob" })),
    );
    kit.desk.follow(ADDRESS);
    await until(() => everything().includes("We couldn't load this customer."));
    expect(all("heading", "Conversations")).toEqual([]);
  });
});
