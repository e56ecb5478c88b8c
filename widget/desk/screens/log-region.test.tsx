import { describe, expect, it } from "vitest";
import { all, eventually, one } from "../testing/by-role.ts";
import { type Kit, openedKit, until } from "../testing/desk-kit.ts";
import { ANA, at, message } from "../testing/samples.ts";
import { showDesk } from "./show-desk.test-kit.tsx";

const show = async (start: Promise<Kit>) => showDesk(await start);
const log = () => one("log", "Conversation");

describe("the log", () => {
  it("shows handoffs between the messages, and an answer in progress", async () => {
    const kit = await show(openedKit(ANA));
    expect(log().textContent).toMatch(/My lamp is broken.*Asked for a person/s);
    const live = (delta: string) =>
      kit.service.push({
        type: "conversation.event",
        conversationId: ANA,
        event: { type: "response.delta", messageId: "msg_4", delta },
      });
    live("Rub ");
    live("oil");
    await until(() => log().textContent?.includes("Rub oil") ?? false);
    expect(one("status").textContent).not.toContain("Rub");
    expect(log().getAttribute("aria-live")).toBe("off");
    kit.service.push({
      type: "conversation.event",
      conversationId: ANA,
      event: { type: "message.created", seq: 4, at: at(4), message: message(4, "agent", "Rub oil on it.") },
    });
    await until(() => log().textContent?.includes("Rub oil on it.") ?? false);
    expect(log().textContent?.match(/Rub oil/g)).toHaveLength(1);
  });

  it("a message never moves the focus, nor the scroll position of a reader further up", async () => {
    const kit = await show(openedKit(ANA));
    const before = document.activeElement;
    const box = log();
    Object.defineProperties(box, {
      scrollHeight: { value: 2000 },
      clientHeight: { value: 400 },
    });
    for (const top of [1600, 100]) {
      box.scrollTop = top;
      box.dispatchEvent(new Event("scroll"));
    }
    kit.service.push({
      type: "conversation.event",
      conversationId: ANA,
      event: { type: "message.created", seq: 4, at: at(4), message: message(4, "customer", "Hello?") },
    });
    const button = await eventually("button", "New messages");
    expect(box.scrollTop).toBe(100);
    expect(document.activeElement).toBe(before);
    button.click();
    await until(() => all("button", "New messages").length === 0);
    expect(box.scrollTop).toBe(2000);
  });
});
