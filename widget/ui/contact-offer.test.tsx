import { signal } from "@preact/signals";
import { act } from "preact/test-utils";
import { describe, expect, it } from "vitest";
import { ContactModel } from "../app/contact-model.ts";
import { createExtrasClient } from "../app/extras-client.ts";
import { AT, createScriptedBff, FAULTS, json, problem } from "../app/testing/scripted-bff.ts";
import { startChat } from "../app/testing/start-chat.ts";
import { createTexts } from "../app/texts.ts";
import { ContactOffer } from "./contact-offer.tsx";
import { conversationPart } from "./conversation-part.ts";
import { extrasOf, startPanel } from "./testing-panel.tsx";

const CONTACT = "POST /api/conversation/contact";
const OFFER = "Leave your e-mail address so our team can write to you.";
const EMAIL = "ann@shop.example";

/** A customer who waits for a person, at a service that takes addresses if it declares it. */
async function startWaiting({ isTaken = true, language = {} } = {}) {
  const bff = createScriptedBff();
  if (isTaken) bff.state.capabilities = [...bff.state.capabilities, "contact"];
  const started = startChat(bff);
  const { chat } = started;
  const client = createExtrasClient({ fetch: bff.fetch }, chat.client, () =>
    Promise.reject(new Error("no file")),
  );
  const contact = new ContactModel({ client, chat });
  const extras = extrasOf({
    isContactOpen: contact.isOpen,
    Contact: () => <ContactOffer contact={contact} />,
  });
  const panel = startPanel(language, started, signal(conversationPart), {}, extras);
  await panel.open();
  await panel.say("Hello");
  await panel.click("button", "Talk to a person");
  const box = () => panel.root.querySelector<HTMLInputElement>("input[type=email]");
  const write = async (text: string) => {
    await act(() => {
      const input = box() as HTMLInputElement;
      input.value = text;
      input.dispatchEvent(new Event("input", { bubbles: true }));
    });
  };
  const send = async (text: string, button = "Send") => {
    await write(text);
    await act(async () => {
      const form = (box() as HTMLInputElement).form as HTMLFormElement;
      const [submit] = [...form.querySelectorAll("button")];
      if (submit?.textContent !== button) throw new Error(`the button is ${submit?.textContent}`);
      form.requestSubmit(submit);
    });
    await panel.rest();
  };
  return { ...panel, bff, box, write, send };
}
const accept = (email: string | null) => () => json(200, { contact: { email } });
const plain = (text: string | null | undefined) => (text ?? "").replace(/[\u2068\u2069]/g, "");

describe("CONTACT1 a customer who waits for a person", () => {
  it("is offered to leave an address, and reads that the team has it once the service said so", async () => {
    const panel = await startWaiting();
    panel.bff.script(CONTACT, accept(EMAIL));
    await panel.click("button", OFFER);
    expect(document.activeElement).toBe(panel.box());
    expect(panel.box()?.labels?.[0]?.textContent).toBe(OFFER);
    expect(panel.box()?.autocomplete).toBe("email");
    // The composer has a button with the same word.
    expect(panel.get("button", "Send")).not.toBe(panel.get("button", `Send ${OFFER}`));
    await panel.send(` ${EMAIL} `);
    expect(panel.bff.calls(CONTACT)).toMatchObject([
      { body: { email: EMAIL }, query: "?conversationId=conversation-1" },
    ]);
    expect(plain(panel.text())).toContain(`Our team can write to you at ${EMAIL}.`);
    expect(plain(panel.get("status").textContent)).toContain(`Our team can write to you at ${EMAIL}.`);
    expect(panel.box()).toBeNull();
    expect(document.activeElement).toBe(panel.get("button", "Change"));
    expect(panel.all("button", OFFER)).toEqual([]);
  });

  it("is not asked again after a reload, nor in another tab, and can change or remove the address", async () => {
    const panel = await startWaiting();
    await act(() => panel.bff.signal({ type: "contact.changed", contact: { email: EMAIL } }));
    await panel.rest();
    expect(plain(panel.text())).toContain(`Our team can write to you at ${EMAIL}.`);
    await panel.click("button", "Change");
    expect(panel.box()?.value).toBe(EMAIL);
    panel.bff.script(CONTACT, accept(null));
    await panel.click("button", `Remove \u2068${EMAIL}\u2069`);
    expect(panel.bff.calls(CONTACT).at(-1)?.body).toEqual({ email: null });
    expect(plain(panel.text())).not.toContain(EMAIL);
    panel.get("button", OFFER);
  });

  it("reads why an address is refused, in its box and aloud, before anything is sent", async () => {
    const panel = await startWaiting();
    await panel.click("button", OFFER);
    await panel.send("ann@shop");
    const fault = panel.root.querySelector(
      `#${CSS.escape(panel.box()?.getAttribute("aria-describedby") ?? "")}`,
    );
    expect(fault?.textContent).toBe("Please check the e-mail address.");
    expect(panel.box()?.getAttribute("aria-invalid")).toBe("true");
    expect(panel.get("alert").textContent).toContain("Please check the e-mail address.");
    expect(document.activeElement).toBe(panel.box());
    expect(panel.bff.calls(CONTACT)).toEqual([]);
  });

  for (const [name, fault] of Object.entries(FAULTS)) {
    it(`TRUTH1 ${name}: the address stays in its box with Retry, and nothing says that the team has it`, async () => {
      const panel = await startWaiting();
      panel.bff.script(CONTACT, fault);
      await panel.click("button", OFFER);
      await panel.send(EMAIL);
      expect(panel.box()?.value).toBe(EMAIL);
      expect(panel.text()).toContain("Not confirmed.");
      expect(panel.get("alert").textContent).toContain("Not confirmed.");
      expect(panel.text()).not.toContain("Our team can write to you at");
      panel.bff.script(CONTACT, accept(EMAIL));
      await panel.send(EMAIL, "Retry");
      expect(plain(panel.text())).toContain(`Our team can write to you at ${EMAIL}.`);
    });
  }

  it("TRUTH1 another address in the answer confirms nothing", async () => {
    const panel = await startWaiting();
    panel.bff.script(CONTACT, accept("other@shop.example"));
    await panel.click("button", OFFER);
    await panel.send(EMAIL);
    expect(panel.text()).toContain("Not confirmed.");
    expect(panel.text()).not.toContain("other@shop.example");
  });

  it("is removed by a button with a text of its own, because some languages name the thing that they remove", async () => {
    const texts = createTexts({ contactRemove: "Remove the address {email}" }, "en");
    const panel = await startWaiting({ language: { texts } });
    await act(() => panel.bff.signal({ type: "contact.changed", contact: { email: EMAIL } }));
    await panel.rest();
    await panel.click("button", "Change");
    panel.get("button", `Remove the address \u2068${EMAIL}\u2069`);
  });

  it("SAY2 a customer who writes on while the address is sent keeps the focus", async () => {
    const panel = await startWaiting();
    const { promise, resolve } = Promise.withResolvers<Response>();
    panel.bff.script(CONTACT, () => promise);
    await panel.click("button", OFFER);
    await panel.send(EMAIL);
    panel.get("textbox", "Message").focus();
    resolve(accept(EMAIL)());
    await panel.rest();
    expect(plain(panel.text())).toContain(`Our team can write to you at ${EMAIL}.`);
    expect(document.activeElement).toBe(panel.get("textbox", "Message"));
  });

  it.each(["corrected", "written again after Cancel"])(
    "an address that was %s while another one was sent stays in the box",
    async (how) => {
      const panel = await startWaiting();
      const { promise, resolve } = Promise.withResolvers<Response>();
      panel.bff.script(CONTACT, () => promise);
      await panel.click("button", OFFER);
      await panel.send("an@shop.example");
      if (how !== "corrected") {
        await panel.click("button", "Cancel");
        await panel.click("button", OFFER);
      }
      await panel.write(EMAIL);
      resolve(accept("an@shop.example")());
      await panel.rest();
      expect(plain(panel.get("status").textContent)).toContain(
        "Our team can write to you at an@shop.example.",
      );
      expect(panel.box()?.value).toBe(EMAIL);
      panel.bff.script(CONTACT, accept(EMAIL));
      await panel.send(EMAIL);
      expect(plain(panel.text())).toContain(`Our team can write to you at ${EMAIL}.`);
    },
  );

  it("Escape closes the box and not the panel, unless an input method takes it, and the focus goes back", async () => {
    const panel = await startWaiting();
    await panel.click("button", OFFER);
    await panel.key("Escape", { keyCode: 229 }, panel.box() as HTMLInputElement);
    expect(panel.box()).not.toBeNull();
    await panel.key("Escape", {}, panel.box() as HTMLInputElement);
    expect(panel.closed()).toBe(0);
    expect(document.activeElement).toBe(panel.get("button", OFFER));
  });

  it("is not asked where nobody could read the address, nor once a person has joined", async () => {
    const silent = await startWaiting({ isTaken: false });
    expect(silent.all("button", OFFER)).toEqual([]);
    const panel = await startWaiting();
    panel.get("button", OFFER);
    await act(() => panel.bff.setHandoff("accepted", "Maya"));
    await panel.rest();
    expect(panel.all("button", OFFER)).toEqual([]);
  });

  it("who is writing an address when a person joins goes on, with the focus, until it is sent or cancelled", async () => {
    for (const end of ["Send", "Cancel"]) {
      const panel = await startWaiting();
      await panel.click("button", OFFER);
      await panel.write("ann@sh");
      await act(() => panel.bff.setHandoff("accepted", "Maya"));
      await panel.rest();
      expect(panel.box()?.value).toBe("ann@sh");
      expect(document.activeElement).toBe(panel.box());
      panel.bff.script(CONTACT, accept(EMAIL));
      if (end === "Send") await panel.send(EMAIL);
      else await panel.click("button", "Cancel");
      expect(panel.bff.calls(CONTACT)).toHaveLength(end === "Send" ? 1 : 0);
      expect(panel.box()).toBeNull();
      expect(panel.all("button", OFFER)).toEqual([]);
      expect(document.activeElement).toBe(panel.get("textbox", "Message"));
    }
  });

  it("whose conversation ends while they write an address is not asked for it when a person opens it again", async () => {
    const panel = await startWaiting();
    await panel.click("button", OFFER);
    await act(() => panel.bff.setHandoff("accepted", "Maya"));
    await act(() => panel.bff.end());
    await panel.rest();
    expect(panel.box()).toBeNull();
    await act(() =>
      panel.bff.record({ type: "conversation.reopened", seq: panel.bff.nextSeq(), at: AT, by: "human" }),
    );
    await act(() => panel.bff.setHandoff("accepted", "Maya"));
    await panel.rest();
    expect(panel.box()).toBeNull();
  });

  it("is asked when nobody was available, and when nobody can be asked", async () => {
    const panel = await startWaiting();
    await act(() => panel.bff.setHandoff("failed"));
    await panel.rest();
    panel.get("button", OFFER);
    await act(() => panel.bff.setHandoff("returned"));
    await panel.rest();
    expect(panel.all("button", OFFER)).toEqual([]);
    panel.bff.script("POST /api/conversation/handoff", () => problem("handoff_unavailable"));
    await panel.click("button", "Talk to a person");
    panel.get("button", OFFER);
  });
});
