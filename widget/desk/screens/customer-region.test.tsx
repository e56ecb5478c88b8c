import { describe, expect, it } from "vitest";
import { eventually, one, type } from "../testing/by-role.ts";
import { createKit, type Kit, openedKit, openedOn, settled, until } from "../testing/desk-kit.ts";
import { ANA, message, waiting } from "../testing/samples.ts";
import { showDesk } from "./show-desk.test-kit.tsx";

const show = async (start: Promise<Kit>) => showDesk(await start);
const log = () => one("log", "Conversation");

describe("the customer's details", () => {
  it("an e-mail that the site did not verify is never called verified, and an anonymous visitor has no invented name", async () => {
    const kit = await show(openedKit(ANA));
    const aside = () => document.querySelector(".customer")?.textContent ?? "";
    expect(aside()).toContain("ana@example.com Not verified");
    expect(aside()).toContain("Identified by the site");
    expect(aside()).toContain("A refund, please");
    const anonymous = waiting({
      id: "cnv_anon",
      customer: { externalId: "anon_8f3k2", identified: false, traits: { plan: "<img src=x><b>x" } },
    });
    kit.service.state.conversations.push(anonymous);
    kit.board.open("cnv_anon");
    await until(() => aside().includes("Visitor"));
    expect(aside()).toContain("Not identified");
    expect(aside()).not.toContain("anon_8f3k2");
    expect(document.querySelectorAll(".customer img, .customer b")).toHaveLength(0);
  });

  it("says who handles the conversation, in words and never by a configured name", async () => {
    const kit = await show(openedKit(ANA));
    const fact = () => document.querySelector(".customer")?.textContent ?? "";
    expect(fact()).toContain("Handled byNobody yet");
    await kit.board.take();
    await until(() => fact().includes("Handled bySam Okafor (you)"));
    for (const internal of ["knowledge", "web", "Channel", "Handoff"]) expect(fact()).not.toContain(internal);
    // A person of another tool has no account here.
    const handoff = { id: "hnd_1", status: "accepted" as const, human: { name: "Lea Moser" } };
    kit.service.state.conversations.push(waiting({ id: "cnv_away", state: "taken", handoff }));
    kit.board.open("cnv_away");
    await until(() => fact().includes("Handled byLea Moser"));
  });

  it("IDENT6 what the site signed, what the page says and what the BFF noted are shown separately", async () => {
    const kit = await show(openedKit(ANA));
    const signed = waiting({
      id: "cnv_signed",
      customer: {
        externalId: "u42",
        email: "lee@example.com",
        identified: true,
        traits: { plan: "pro", "page.plan": "enterprise", identified: true, emailVerified: true },
      },
    });
    const linked = waiting({
      id: "cnv_linked",
      customer: {
        externalId: "anon_1",
        email: "ceo@example.com",
        identified: false,
        traits: { identified: false, emailVerified: true, linkedTo: "u42" },
      },
    });
    kit.service.state.conversations.push(signed, linked);
    const aside = () => document.querySelector(".customer")?.textContent ?? "";
    const underHeading = (name: string) =>
      [...document.querySelectorAll(".customer h3")].find(({ textContent }) => textContent === name)
        ?.nextElementSibling?.textContent;
    kit.board.open("cnv_signed");
    await until(() => aside().includes("u42"));
    expect(document.querySelectorAll(".customer .unverified")).toHaveLength(0);
    expect(underHeading("Customer details")).toBe("planpro");
    expect(underHeading("From the page, not verified")).toBe("planenterprise");
    kit.board.open("cnv_linked");
    await until(() => aside().includes("ceo@example.com"));
    expect(aside()).toContain("Not identified");
    expect(document.querySelectorAll(".customer .unverified")).toHaveLength(1);
    expect(underHeading("Signed in later as")).toBe("Customer IDu42");
  });

  it("quick replies are text: what the customer was offered, without a button", async () => {
    const kit = await show(openedKit(ANA));
    const choices = [
      { id: "a", label: "<b>Returns</b>", send: "How do I return something?" },
      { id: "b", choice: "handoff" as const },
    ];
    const buttons = log().querySelectorAll("button").length;
    kit.service.change(ANA, { lastSeq: 4, messages: [message(4, "agent", "Which one?", { choices })] });
    await kit.board.refresh();
    await until(() => log().textContent?.includes("Offered: <b>Returns</b> · Talk to a person") ?? false);
    expect(log().querySelectorAll("button")).toHaveLength(buttons);
  });

  it("what people and articles write is text: no element, no link but https", async () => {
    const kit = await show(openedKit(ANA));
    const hostile = "<img src=x onerror=alert(1)> [x](javascript:alert(1)) **<b>**";
    const citations = [
      { citationId: "c1", title: "<i>t</i>", url: "javascript:alert(1)" },
      { citationId: "c2", title: "Refunds", url: "https://shop.example/refunds" },
      { citationId: "c3", title: "Plain", url: "http://shop.example/" },
    ];
    kit.service.change(ANA, {
      lastSeq: 5,
      messages: [
        message(4, "customer", hostile),
        message(5, "agent", hostile, { author: { name: "Helper" }, citations, incomplete: true }),
      ],
    });
    await kit.board.refresh();
    await until(() => log().textContent?.includes("Helper") ?? false);
    expect(log().querySelectorAll("img, b, i, script")).toHaveLength(0);
    const links = [...log().querySelectorAll("a")].map((link) => link.getAttribute("href"));
    expect(links).toEqual(["https://shop.example/refunds"]);
    expect(log().textContent).toContain("This answer was cut off.");
    expect(log().textContent).toContain("AI");
  });

  it("DESK14 sends only the field that the person changed, so a colleague's newer one stays", async () => {
    const start = createKit();
    const { customer } = waiting();
    start.service.state.conversations = [waiting({ customer: { ...customer, team: { name: "Ana" } } })];
    const kit = await show(openedOn(start, ANA));
    one("button", "Edit name and e-mail").click();
    const box = await eventually("textbox", "Name");
    kit.service.change(ANA, { customer: { ...customer, team: { name: "Ana", email: "ana@work.example" } } });
    await kit.board.refresh();
    type(box, "Ana Maria");
    one("button", "Save").click();
    await eventually("button", "Edit name and e-mail");
    expect(kit.board.board.value.opened?.customer.team).toEqual({
      name: "Ana Maria",
      email: "ana@work.example",
    });
  });

  it("DESK32 a half-typed name survives another conversation, which keeps the focus; an erasure removes it", async () => {
    const start = createKit();
    const other = waiting({ id: "cnv_bob", customer: { ...waiting().customer, externalId: "bob" } });
    start.service.state.conversations = [waiting(), other];
    const kit = await show(openedOn(start, ANA));
    one("button", "Add name or e-mail").click();
    type(await eventually("textbox", "Name"), "Ana Maria");
    kit.board.open("cnv_bob");
    await eventually("button", "Add name or e-mail");
    kit.board.open(ANA);
    const name = (await eventually("textbox", "Name")) as HTMLInputElement;
    expect(name.value).toBe("Ana Maria");
    await settled();
    expect(document.activeElement?.tagName).toBe("H1");
    const erased = { type: "conversation.erased" } as const;
    kit.service.push({ type: "conversation.event", conversationId: ANA, event: erased });
    await until(() => kit.desk.unsent.value === undefined);
  });

  it("DESK14 a form that was opened again stays, with its text, when the earlier one is answered", async () => {
    const kit = await show(openedKit(ANA));
    const answer = Promise.withResolvers<void>();
    kit.service.script(`POST /conversations/${ANA}/customer`, () =>
      answer.promise.then(() => Response.json({ customer: { conversationId: ANA, name: "Ana" } })),
    );
    one("button", "Add name or e-mail").click();
    type(await eventually("textbox", "Name"), "Ana");
    one("button", "Save").click();
    one("button", "Cancel").click();
    (await eventually("button", "Add name or e-mail")).click();
    type(await eventually("textbox", "Name"), "Ana Maria");
    answer.resolve();
    await until(() => kit.board.board.value.opened?.customer.team?.name === "Ana");
    await settled();
    expect((one("textbox", "Name") as HTMLInputElement).value).toBe("Ana Maria");
  });
});
