import { signal } from "@preact/signals";
import { describe, expect, it } from "vitest";
import { TeaserModel } from "./teaser.ts";
import { startConversation } from "./testing/start-chat.ts";

/** A conversation with the panel closed, and a frame whose rules are recorded. */
async function startTeased() {
  const talk = await startConversation();
  const rules: boolean[] = [];
  const left: boolean[] = [];
  const isVisible = signal(true);
  const isOn = signal(true);
  const teaser = new TeaserModel({
    chat: talk.chat,
    environment: { isVisible: () => isVisible.value, setTimer: talk.time.setTimer },
    isWanted: () => isOn.value,
    dress: (given) => void rules.push(given.includes("--tall:85px")),
    leave: () => void left.push(true),
  });
  talk.chat.close();
  const hear = async (...said: Parameters<typeof talk.bff.say>) => {
    talk.bff.say(...said);
    await talk.settle();
    if (teaser.message.value) teaser.stand(84.5, "right");
  };
  return { ...talk, teaser, hear, rules, left, isVisible, isOn, words: () => teaser.message.value?.body };
}

describe("TEASE1 a message that arrives while the panel is closed", () => {
  it("is previewed for twelve seconds after the last one; then the frame is as before", async () => {
    const { hear, words, time, rules } = await startTeased();
    await hear("One");
    await time.advance(11_000);
    await hear("Two", { role: "human" });
    await time.advance(11_000);
    expect(words()).toBe("Two");
    await time.advance(1_000);
    expect(words()).toBeUndefined();
    expect(rules).toEqual([true, true, false]);
  });

  it("disappears with its rules once the panel opens", async () => {
    const { hear, words, chat, rules } = await startTeased();
    await hear("One");
    chat.open();
    expect(words()).toBeUndefined();
    expect(rules).toEqual([true, false]);
  });

  it("is not previewed if it is seen, if the page is hidden, if the owner disabled previews, or if it is a system note", async () => {
    const { hear, words, chat, isVisible, isOn, rules } = await startTeased();
    chat.open();
    await hear("Seen");
    chat.close();
    isVisible.value = false;
    await hear("Hidden");
    isVisible.value = true;
    isOn.value = false;
    await hear("Unwanted");
    isOn.value = true;
    await hear("", { role: "system", notice: "agent_failed" });
    expect([words(), rules]).toEqual([undefined, []]);
    await hear("Control");
    expect([words(), rules]).toEqual(["Control", [true]]);
  });
});

describe("TEASE3 the preview has its own Close", () => {
  it("which removes it, marks nothing as read and opens nothing; the next message is previewed again", async () => {
    const { hear, words, teaser, chat, rules, left, bff } = await startTeased();
    await hear("One");
    teaser.close();
    expect([words(), rules]).toEqual([undefined, [true, false]]);
    expect([chat.isOpen.value, chat.conversation.unread.value, left]).toEqual([false, 1, []]);
    expect(bff.calls("POST /api/conversation/read")).toEqual([]);
    await hear("Two");
    expect([words(), chat.conversation.unread.value]).toEqual(["Two", 2]);
  });

  it("does not disappear while it has the focus; afterwards the launcher gets it", async () => {
    const { hear, words, teaser, time, left } = await startTeased();
    await hear("One");
    teaser.hold(true);
    await time.advance(20_000);
    await hear("Two");
    await time.advance(20_000);
    expect(words()).toBe("Two");
    teaser.hold(false);
    await time.advance(11_999);
    expect(words()).toBe("Two");
    await time.advance(1);
    expect([words(), left]).toEqual([undefined, []]);
    await hear("Three");
    teaser.hold(true);
    teaser.close();
    expect([words(), left]).toEqual([undefined, [true]]);
  });

  it("leaves the focus to the panel when that opens", async () => {
    const { hear, words, teaser, chat, left } = await startTeased();
    await hear("One");
    teaser.hold(true);
    chat.open();
    expect([words(), left]).toEqual([undefined, []]);
  });
});

describe("TEASE2 the preview", () => {
  it("disappears at once with its customer, and when the message is read elsewhere", async () => {
    const { hear, words, chat } = await startTeased();
    await hear("One");
    chat.conversation.unread.value = 0;
    expect(words()).toBeUndefined();
    await hear("Two");
    expect(words()).toBe("Two");
    void chat.identity.logout();
    expect(words()).toBeUndefined();
  });
});
