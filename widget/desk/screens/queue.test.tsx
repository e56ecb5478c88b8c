import { describe, expect, it, vi } from "vitest";
import { all, eventually, nameOf, one, press } from "../testing/by-role.ts";
import { createKit, type Kit, openedKit, settled, signedInKit, until } from "../testing/desk-kit.ts";
import { ANA, at, MIRA, rowOf, SAM, waiting } from "../testing/samples.ts";
import { problem } from "../testing/scripted-service.ts";
import { showDesk } from "./show-desk.test-kit.tsx";

const show = async (start: Promise<Kit>) => showDesk(await start);

describe("the queue", () => {
  it("arrow keys go from row to row, Tab stops at the list once, and the open row is marked", async () => {
    const kit = await show(signedInKit());
    const jo = waiting({
      id: "cnv_jo",
      customer: { externalId: "u2", displayName: "Jo", identified: true, traits: {} },
    });
    kit.service.push({ type: "queue.changed", conversation: rowOf(jo, { waitingSince: at(9) }) });
    const second = await eventually("button", /^.*Jo/);
    const first = one("button", /Ana Ruiz/);
    first.focus();
    expect(press(first, "ArrowDown").defaultPrevented).toBe(true);
    expect(document.activeElement).toBe(second);
    press(second, "Home");
    expect(document.activeElement).toBe(first);
    press(first, "End");
    press(second, "ArrowDown");
    expect(document.activeElement).toBe(second);
    expect([first.tabIndex, second.tabIndex]).toEqual([0, -1]);
    first.click();
    await until(() => one("button", /Ana Ruiz/).getAttribute("aria-current") === "true");
    expect(nameOf(first)).toContain("waiting 7 min");
  });

  it.each([
    ["an hour slow", at(70), "waiting 1 h"],
    ["six hours fast", at(10 - 360), "waiting less than a minute"],
    ["half a minute off", new Date(Date.parse(at(10)) + 30_000).toISOString(), "waiting 7 min"],
  ])("DESK34 a computer's clock that is %s shows the wait by the service's clock", async (_, date, wait) => {
    const start = createKit();
    const session = Response.json({ user: SAM, csrf: "csrf" }, { headers: { date } });
    start.service.script("GET /session", () => session);
    await show(signedInKit(start));
    expect(nameOf(await eventually("button", /Ana Ruiz/))).toContain(wait);
  });

  it("typing a reply draws a row once for its mark, and not with each letter", async () => {
    const kit = await show(openedKit(ANA));
    await eventually("button", /Ana Ruiz/);
    const drawn = vi.spyOn(kit.desk.calendar, "timeOrDay");
    for (const text of ["I", "I am", "I am here"]) {
      kit.board.setDraft(text);
      await settled();
    }
    await eventually("button", /Ana Ruiz.*Draft/);
    expect(drawn).toHaveBeenCalledTimes(1);
  });

  it("ATT9 a conversation whose customer only attached a file, and sent nothing, says that it has no messages", async () => {
    const kit = await show(signedInKit());
    const started = waiting({ id: "cnv_new", state: "agent", messages: [], lastSeq: 1 });
    kit.service.push({ type: "queue.changed", conversation: rowOf(started) });
    await eventually("button", /No messages/);
  });

  it("ended conversations are collapsed until somebody opens them", async () => {
    const kit = await show(signedInKit());
    kit.service.push({
      type: "queue.changed",
      conversation: rowOf(waiting({ id: "cnv_old", status: "ended", state: "ended" }), {
        preview: "Thanks!",
      }),
    });
    const fold = await eventually("button", /^Ended/);
    expect(all("button", /Thanks!/)).toEqual([]);
    fold.click();
    await eventually("button", /Thanks!/);
    expect(one("button", /^Ended/).getAttribute("aria-expanded")).toBe("true");
  });

  it("SAY2 the focus stays on a row that moves to another group, or goes to the next group's first one", async () => {
    const kit = await show(signedInKit());
    const jo = waiting({ id: "cnv_jo", state: "agent" });
    kit.service.push({ type: "queue.changed", conversation: rowOf(jo, { preview: "I am Jo" }) });
    await eventually("button", /I am Jo/);
    const ana = one("button", /Ana Ruiz.*lamp/);
    ana.focus();
    const taken = rowOf(waiting({ state: "taken", takenBy: MIRA }));
    kit.service.push({ type: "queue.changed", conversation: taken });
    const moved = await eventually("button", /Mira Chen/);
    expect(document.activeElement).toBe(moved);
    kit.service.push({
      type: "conversation.event",
      conversationId: ANA,
      event: { type: "conversation.erased" },
    });
    await until(() => all("button", /Mira Chen/).length === 0);
    expect(document.activeElement).toBe(one("button", /I am Jo/));
  });

  it("Tab also reaches the list where every conversation has ended", async () => {
    const start = createKit();
    start.service.state.conversations = [waiting({ status: "ended", state: "ended" })];
    await show(signedInKit(start));
    (await eventually("button", /^Ended/)).click();
    expect((await eventually("button", /Ana Ruiz/)).tabIndex).toBe(0);
  });

  it("an empty queue is shown in a friendly way; a list that could not be read is not called empty", async () => {
    const kit = await show(signedInKit());
    kit.service.state.conversations = [];
    await kit.board.refresh();
    await eventually("heading", "Nobody is waiting");
    kit.service.script("GET /conversations", () => problem("unavailable"));
    kit.board.begin({ ...(kit.board.me.value ?? { id: "", email: "", name: "", role: "agent" }) });
    await eventually("alert", /We couldn't load the list\./);
    expect(all("heading", "Nobody is waiting")).toEqual([]);
    expect(all("heading", "All quiet")).toEqual([]);
  });

  it("the desk is called quiet only if nobody waits, this person has no conversation, and nothing is to be decided", async () => {
    const kit = await show(signedInKit());
    const row = (state: "agent" | "taken", more = {}) =>
      kit.service.push({ type: "queue.changed", conversation: rowOf(waiting({ state }), more) });
    await eventually("heading", "One customer is waiting for a person.");
    row("taken", { takenBy: { id: SAM.id, name: SAM.name } });
    await eventually("heading", "No conversation is open");
    row("taken", { takenBy: MIRA });
    await eventually("heading", "All quiet");
    row("agent", { decision: { seq: 3, since: at(4) } });
    await eventually("heading", "No conversation is open");
  });

  it("a list with more rows than one page shows the next ones on request", async () => {
    const kit = await show(signedInKit());
    const row = rowOf(waiting());
    const next = [{ state: "waiting", after: `1.${row.id}` }];
    const zoe = { ...row, id: "conv_zoe", customer: { ...row.customer, displayName: "Zoe" } };
    kit.service.script("GET /conversations", () => Response.json({ conversations: [row], next }));
    kit.service.script(`GET /conversations?state=waiting&after=1.${row.id}`, () =>
      Response.json({ conversations: [zoe], next: [] }),
    );
    await kit.board.refresh();
    const more = await eventually("button", "Show more");
    more.focus();
    more.click();
    const first = await eventually("button", /Zoe/);
    await until(
      () => document.activeElement === first,
      "SAY2 the focus is on the first row of the last page",
    );
    expect(all("button", "Show more")).toEqual([]);
    expect(all("button", /Ana Ruiz/)).toHaveLength(1);
  });

  it("a list of several pages stays as long when an action reads it again, and has each conversation once", async () => {
    const kit = await show(signedInKit());
    const row = rowOf(waiting());
    const named = (name: string) => ({ ...row, id: name, customer: { ...row.customer, displayName: name } });
    const first = { conversations: [row], next: [{ state: "waiting", after: "1" }] };
    const second = { conversations: [named("Zoe")], next: [{ state: "waiting", after: "2" }] };
    // It moved down while the pages were read.
    const moved = { conversations: [row, named("Zoe")], next: second.next };
    kit.service.script("GET /conversations", ...[first, first].map((page) => () => Response.json(page)));
    kit.service.script(
      "GET /conversations?state=waiting&after=1",
      ...[second, moved].map((page) => () => Response.json(page)),
    );
    await kit.board.refresh();
    const more = await eventually("button", "Show more");
    more.click();
    more.click();
    await eventually("button", /Zoe/);
    await kit.board.refresh();
    await settled();
    expect(all("button", /Zoe/)).toHaveLength(1);
    expect(all("button", /Ana Ruiz/)).toHaveLength(1);
    expect(kit.board.queueNext.value).toEqual(second.next);
  });

  it("a reading of several pages stops once a later one has begun", async () => {
    const kit = await show(signedInKit());
    const next = [{ state: "waiting", after: "1" }];
    const first = () => Response.json({ conversations: [rowOf(waiting())], next });
    const second = () => Response.json({ conversations: [], next: [] });
    const SECOND = "GET /conversations?state=waiting&after=1";
    kit.service.script("GET /conversations", first, first, first);
    kit.service.script(SECOND, second, second, second);
    await kit.board.refresh();
    (await eventually("button", "Show more")).click();
    await until(() => kit.board.queueNext.value.length === 0);
    await Promise.all([kit.board.refresh(), kit.board.refresh()]);
    expect(kit.service.callsOf(SECOND)).toHaveLength(2);
  });

  it("a list stays as long where the request for a page fails after a reading of the whole list had that page", async () => {
    const kit = await show(signedInKit());
    const next = [{ state: "waiting", after: "1" }];
    const first = () => Response.json({ conversations: [rowOf(waiting())], next });
    const second = () =>
      Response.json({
        conversations: [{ ...rowOf(waiting()), id: "cnv_zoe", lastBody: "From Zoe" }],
        next: [],
      });
    const { promise: held, resolve: answer } = Promise.withResolvers<Response>();
    kit.service.script("GET /conversations", first, first, first);
    kit.service.script("GET /conversations?state=waiting&after=1", () => held, second, second);
    await kit.board.refresh();
    (await eventually("button", "Show more")).click();
    await kit.board.refresh();
    answer(problem("unavailable"));
    await settled();
    await kit.board.refresh();
    expect(kit.board.queue.value.map(({ id }) => id)).toContain("cnv_zoe");
  });

  it("a page that was asked for before the desk began again is not shown", async () => {
    const kit = await show(signedInKit());
    const next = [{ state: "waiting", after: "1" }];
    const zoe = { ...rowOf(waiting()), id: "cnv_zoe" };
    const page = Promise.withResolvers<Response>();
    const list = Promise.withResolvers<Response>();
    kit.service.script(
      "GET /conversations",
      () => Response.json({ conversations: [rowOf(waiting())], next }),
      () => list.promise,
    );
    kit.service.script("GET /conversations?state=waiting&after=1", () => page.promise);
    await kit.board.refresh();
    (await eventually("button", "Show more")).click();
    kit.board.begin(SAM);
    page.resolve(Response.json({ conversations: [zoe], next: [] }));
    await settled();
    expect(kit.board.queue.value).toEqual([]);
    list.resolve(Response.json({ conversations: [], next: [] }));
  });

  it("on a small screen focus follows from region to region, and Back returns to the row that was left", async () => {
    await show(openedKit(ANA));
    one("button", "Customer details").click();
    await until(() => document.activeElement === one("button", "Back to the conversation"));
    one("button", "Back to the conversation").click();
    await until(() => document.activeElement === all("heading", "Ana Ruiz")[0]);
    one("button", "Back to the list").click();
    await until(() => document.activeElement === one("button", /Ana Ruiz/));
  });
});
