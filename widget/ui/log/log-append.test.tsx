import { effect, signal } from "@preact/signals";
import { options, type VNode } from "preact";
import { afterEach, describe, expect, it } from "vitest";
import { startChat } from "../../app/testing/start-chat.ts";
import { conversationPart } from "../conversation-part.ts";
import { startPanel } from "../testing-panel.tsx";

const diffed = options.diffed?.bind(options);
afterEach(() => {
  if (diffed) options.diffed = diffed;
});

/** The classes of the elements that are looked at from now on, one for each time. */
function watchDrawing(): string[] {
  const looked: string[] = [];
  options.diffed = (vnode: VNode) => {
    diffed?.(vnode);
    if (typeof vnode.type === "string" && "class" in vnode.props) looked.push(String(vnode.props.class));
  };
  return looked;
}

async function startLong() {
  const panel = startPanel({}, startChat(), signal(conversationPart), {});
  await panel.open();
  await panel.say("Hello");
  for (let count = 0; count < 70; count += 1) {
    panel.bff.say(`Answer ${count}`);
    if (count % 2) panel.bff.say(`Note ${count}`, { role: "system" });
  }
  await panel.rest();
  return panel;
}

describe("a new message", () => {
  it("a new message renders no other message, no other section and nothing around the log", async () => {
    const panel = await startLong();
    const looked = watchDrawing();
    panel.bff.say("One more");
    await panel.rest();
    expect(panel.log()).toContain("One more");
    expect(looked.filter((name) => name === "message")).toHaveLength(1);
    expect(looked.filter((name) => name.startsWith("section"))).toEqual(["section last"]);
    expect(looked).not.toContain("scroller");
  });

  it("a message that is visible when it arrives is never counted as unread", async () => {
    const panel = await startLong();
    const counts: number[] = [];
    const stop = effect(() => {
      counts.push(panel.chat.conversation.unread.value);
    });
    panel.bff.say("One more");
    await panel.rest();
    stop();
    expect(panel.log()).toContain("One more");
    expect(counts).toEqual([0]);
  });
});
