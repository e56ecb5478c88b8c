import { describe, expect, it } from "vitest";
import { AlertsModel } from "./alerts-model.ts";
import { type Kit, settled, signedInKit, until } from "./testing/desk-kit.ts";
import { at, rowOf, SAM, waiting } from "./testing/samples.ts";

const SAM_HAS_IT = { state: "taken", takenBy: { id: SAM.id, name: SAM.name } } as const;
const MIRA_HAS_IT = { state: "taken", takenBy: { id: "usr_mira", name: "Mira" } } as const;
const other = (id: string, name: string) =>
  waiting({ id, customer: { externalId: id, displayName: name, identified: true, traits: {} } });

type More = Parameters<typeof rowOf>[1];

/** The service says that this conversation's row is now so. */
async function pushAtOnce(kit: Kit, id: string, name: string, more: More = {}) {
  kit.service.push({ type: "queue.changed", conversation: rowOf(other(id, name), more) });
  await settled();
}

/** The same, and two seconds pass: later news comes by itself. */
async function push(kit: Kit, id: string, name: string, more: More = {}) {
  await pushAtOnce(kit, id, name, more);
  kit.timers.advance(2000);
  await settled();
}

/** A desk whose person allowed notifications and looks elsewhere. */
async function alertedKit(): Promise<Kit> {
  const kit = await signedInKit();
  await kit.desk.alerts.setNotifications(true);
  return kit;
}
const titles = (kit: Kit) => kit.alerts.notified.map(({ title, body }) => [title, body]);

describe("DESK12 alerts", () => {
  it("a customer who begins to wait causes one sound and one notification; one who waited before causes none", async () => {
    const kit = await alertedKit();
    expect([kit.alerts.sounds, kit.alerts.notified]).toEqual([0, []]);
    await push(kit, "cnv_jo", "Jo");
    await push(kit, "cnv_jo", "Jo", { preview: "more", lastSeq: 4 });
    expect(kit.alerts.sounds).toBe(1);
    expect(titles(kit)).toEqual([["New customer waiting", "Jo"]]);
  });

  it("news within two seconds after another comes together, without a customer whom a colleague took meanwhile", async () => {
    const kit = await alertedKit();
    for (const name of ["Jo", "Li", "Ed", "May"]) await pushAtOnce(kit, `cnv_${name}`, name);
    await pushAtOnce(kit, "cnv_May", "May", MIRA_HAS_IT);
    expect(titles(kit)).toEqual([["New customer waiting", "Jo"]]);
    kit.timers.advance(2000);
    await settled();
    expect(kit.alerts.sounds).toBe(2);
    expect(titles(kit).slice(1)).toEqual([["2 customers need you", ""]]);
    expect(kit.desk.said.value.map(({ text }) => text)).toEqual([
      "New customer waiting: Jo",
      "2 customers need you",
    ]);
  });

  it("a second notification about several customers replaces no earlier one", async () => {
    const kit = await alertedKit();
    for (const name of ["Jo", "Li", "Ed", "May", "Kim"]) {
      await pushAtOnce(kit, `cnv_${name}`, name);
      if (name === "Ed") kit.timers.advance(2000);
      await settled();
    }
    kit.timers.advance(2000);
    await settled();
    expect(titles(kit).slice(1)).toEqual(Array(2).fill(["2 customers need you", ""]));
    expect(new Set(kit.alerts.notified.map(({ tag }) => tag)).size).toBe(3);
  });

  it("several messages of one customer that come together are reported once, with the customer's name", async () => {
    const kit = await alertedKit();
    await pushAtOnce(kit, "cnv_jo", "Jo", SAM_HAS_IT);
    for (const seq of [9, 10, 11])
      await pushAtOnce(kit, "cnv_jo", "Jo", { ...SAM_HAS_IT, lastSeq: seq, customerSeq: seq });
    kit.timers.advance(2000);
    await settled();
    expect(titles(kit).slice(1)).toEqual([["New message for you", "Jo"]]);
  });

  it("DESK25 news that was about to come is dropped by signing out", async () => {
    const kit = await alertedKit();
    for (const name of ["Jo", "Li"]) await pushAtOnce(kit, `cnv_${name}`, name);
    await kit.desk.signOut();
    kit.timers.advance(2000);
    await settled();
    expect(titles(kit)).toEqual([["New customer waiting", "Jo"]]);
  });

  it("a customer who waited before is no news when a longer list shows them, or when they move up in it", async () => {
    const kit = await alertedKit();
    const answers = (name: string, next: readonly object[]) => () =>
      Response.json({ conversations: [rowOf(other(`cnv_${name}`, name))], next });
    const after = [{ state: "waiting", after: "1.cnv_ana" }];
    kit.service.script("GET /conversations", answers("Jo", after), answers("Li", after));
    await kit.board.refresh();
    const before = kit.alerts.sounds;
    await kit.board.refresh();
    const [place] = kit.board.queueNext.value;
    kit.service.script("GET /conversations?state=waiting&after=1.cnv_ana", answers("Ed", []));
    if (place) await kit.board.readMore(place);
    expect(kit.board.queue.value.map(({ id }) => id)).toEqual(["cnv_Li", "cnv_Ed"]);
    expect(kit.alerts.sounds).toBe(before);
    await push(kit, "cnv_May", "May");
    expect(kit.alerts.sounds).toBe(before + 1);
  });

  it("a message in my own conversation is news, one in a colleague's or the agent's is not, and no text is shown", async () => {
    const kit = await alertedKit();
    await push(kit, "cnv_jo", "Jo", SAM_HAS_IT);
    await push(kit, "cnv_li", "Li", MIRA_HAS_IT);
    await push(kit, "cnv_ed", "Ed", { state: "agent" });
    const before = kit.alerts.notified.length;
    const next = { lastSeq: 9, customerSeq: 9, preview: "secret words" };
    await push(kit, "cnv_li", "Li", { ...next, ...MIRA_HAS_IT });
    await push(kit, "cnv_ed", "Ed", { ...next, state: "agent" });
    expect(kit.alerts.notified).toHaveLength(before);
    await push(kit, "cnv_jo", "Jo", { ...next, ...SAM_HAS_IT });
    expect(titles(kit).slice(before)).toEqual([["New message for you", "Jo"]]);
    expect(JSON.stringify(kit.alerts.notified)).not.toContain("secret");
  });

  it("while the person looks at the page there is no notification, and no sound for the conversation on screen", async () => {
    const kit = await alertedKit();
    kit.presence.isPresent = true;
    await push(kit, "cnv_jo", "Jo");
    expect([kit.alerts.sounds, kit.alerts.notified.length]).toEqual([1, 0]);
    await push(kit, "cnv_jo", "Jo", { ...SAM_HAS_IT, seenSeq: 2 });
    kit.service.state.conversations.push(other("cnv_jo", "Jo"));
    kit.board.open("cnv_jo");
    await push(kit, "cnv_jo", "Jo", { ...SAM_HAS_IT, lastSeq: 9, customerSeq: 9, seenSeq: 2 });
    expect(kit.alerts.sounds).toBe(1);
  });

  it("DESK22 an action that the team decides about is news for everybody, or for the person who has the conversation", async () => {
    const kit = await alertedKit();
    const asked = (seq: number) => ({ lastSeq: seq, decision: { seq, since: at(9) } });
    await push(kit, "cnv_jo", "Jo", { state: "agent", ...asked(7) });
    await push(kit, "cnv_jo", "Jo", { state: "agent", ...asked(7), lastSeq: 8 });
    expect(titles(kit)).toEqual([["Decision needed", "Jo"]]);
    expect([kit.alerts.sounds, kit.desk.title.value]).toEqual([1, "(2) Parley desk"]);
    await push(kit, "cnv_jo", "Jo", { state: "agent", ...asked(9) });
    expect(kit.alerts.sounds).toBe(2);
    await push(kit, "cnv_jo", "Jo", { state: "agent", lastSeq: 10 });
    expect([kit.alerts.sounds, kit.desk.title.value]).toEqual([2, "(1) Parley desk"]);
    await push(kit, "cnv_li", "Li", { ...MIRA_HAS_IT, ...asked(7) });
    expect(kit.alerts.sounds).toBe(2);
    // The colleague hands it back undecided.
    await push(kit, "cnv_li", "Li", { state: "agent", ...asked(7), lastSeq: 8 });
    expect([kit.alerts.sounds, kit.board.said.value.at(-1)?.text]).toEqual([3, "Decision needed: Li"]);
    kit.presence.isPresent = true;
    kit.service.state.conversations.push(other("cnv_li", "Li"));
    kit.board.open("cnv_li");
    await push(kit, "cnv_li", "Li", { state: "agent", ...asked(11) });
    expect(kit.alerts.sounds).toBe(3);
  });

  it("news that another window of the browser announced is not announced again; sound and notification separately", async () => {
    const kit = await alertedKit();
    const since = rowOf(other("cnv_jo", "Jo")).waitingSince;
    kit.alerts.claimedElsewhere.add(`sound.waiting.cnv_jo.${since}`);
    await push(kit, "cnv_jo", "Jo");
    expect([kit.alerts.sounds, titles(kit).length]).toEqual([0, 1]);
    kit.alerts.claimedElsewhere.add(`notification.waiting.cnv_li.${since}`);
    await push(kit, "cnv_li", "Li");
    expect([kit.alerts.sounds, titles(kit).length]).toEqual([1, 1]);
    // The others are still waiting, for the title and the icon of each window.
    expect(kit.desk.title.value).toBe("(3) Parley desk");
  });

  it("news missed during a disconnection is one notification for all, and pressing it opens the first", async () => {
    const kit = await alertedKit();
    kit.service.breakLines();
    await until(() => kit.board.connection.value === "waiting");
    kit.service.state.conversations.push(other("cnv_jo", "Jo"), other("cnv_li", "Li"));
    kit.timers.advance(500);
    await until(() => kit.alerts.notified.length > 0);
    expect(titles(kit)).toEqual([["2 customers need you", ""]]);
    expect(kit.alerts.sounds).toBe(1);
    kit.desk.show("account");
    kit.alerts.notified[0]?.onPress();
    expect([kit.desk.page.value, kit.board.openedId.value]).toEqual(["board", "cnv_jo"]);
  });

  it("each switch is remembered in this browser, and off means silence", async () => {
    const kit = await alertedKit();
    kit.desk.alerts.setSound(false);
    await kit.desk.alerts.setNotifications(false);
    await push(kit, "cnv_jo", "Jo");
    expect([kit.alerts.sounds, kit.alerts.notified.length]).toEqual([0, 0]);
    expect([...kit.alerts.stored.values()]).toEqual(["off", "off"]);
    kit.desk.alerts.setSound(true);
    expect(kit.alerts.sounds).toBe(1);
  });

  it("notifications count as on only if the browser allows them", async () => {
    const kit = await signedInKit();
    kit.alerts.answer = "denied";
    await kit.desk.alerts.setNotifications(true);
    const { notifications, isBlocked } = kit.desk.alerts;
    expect([notifications.value, isBlocked.value]).toEqual([false, true]);
    await push(kit, "cnv_jo", "Jo");
    expect(kit.alerts.notified).toEqual([]);
    await kit.desk.alerts.setNotifications(false);
    expect(isBlocked.value).toBe(false);
  });

  it.each(["default", "denied"] as const)(
    "a permission that the browser took back (%s) turns them off and says so, with the next news and at the next start",
    async (permission) => {
      const kit = await alertedKit();
      kit.alerts.permission = permission;
      await push(kit, "cnv_jo", "Jo");
      const { notifications, isBlocked } = kit.desk.alerts;
      expect([notifications.value, isBlocked.value]).toEqual([false, true]);
      expect(kit.alerts.notified).toEqual([]);
      const { environment } = kit.alerts;
      const start = () =>
        new AlertsModel({
          environment,
          isPresent: () => false,
          openedId: () => undefined,
          open: () => undefined,
        });
      expect([start().notifications.value, start().isBlocked.value]).toEqual([false, true]);
      await kit.desk.alerts.setNotifications(false);
      expect(start().isBlocked.value).toBe(false);
    },
  );

  it("the title counts who waits and who wrote to me, and says when there are more than were read", async () => {
    const kit = await signedInKit();
    const title = () => [kit.desk.title.value, kit.desk.isNeeded.value];
    expect(title()).toEqual(["(1) Parley desk", true]);
    const written = { ...SAM_HAS_IT, lastSeq: 9, customerSeq: 9 };
    await push(kit, "cnv_jo", "Jo", written);
    expect(title()).toEqual(["(2) Parley desk", true]);
    await push(kit, "cnv_jo", "Jo", { ...written, seenSeq: 9 });
    expect(title()).toEqual(["(1) Parley desk", true]);
    const row = rowOf(waiting());
    kit.service.script("GET /conversations", () =>
      Response.json({ conversations: [row], next: [{ state: "waiting", after: "1.cnv_ana" }] }),
    );
    await kit.board.refresh();
    expect(title()).toEqual(["(1+) Parley desk", true]);
    kit.service.script("GET /conversations", () => Response.json({ conversations: [], next: [] }));
    await kit.board.refresh();
    expect(title()).toEqual(["Parley desk", false]);
  });
});
