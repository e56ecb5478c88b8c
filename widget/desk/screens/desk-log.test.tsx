import { options, render, type VNode } from "preact";
import { afterEach, describe, expect, it } from "vitest";
import { RichText } from "../../elements/rich-text.tsx";
import { everything } from "../testing/by-role.ts";
import { openedKit, settled, until } from "../testing/desk-kit.ts";
import { ANA, at, message, waiting } from "../testing/samples.ts";
import { DeskApp } from "./desk-app.tsx";

const diffed = options.diffed?.bind(options);

/** The texts that are parsed from now on, with repetitions: `RichText` parses its text whenever it is drawn. */
function watchParsing(): string[] {
  const parsed: string[] = [];
  options.diffed = (vnode: VNode) => {
    diffed?.(vnode);
    if (vnode.type === RichText) parsed.push((vnode as VNode<{ text: string }>).props.text);
  };
  return parsed;
}

afterEach(() => {
  if (diffed) options.diffed = diffed;
  const root = document.getElementById("desk");
  if (root) render(null, root);
});

/** A desk that shows a conversation of 60 messages, and how often a text was parsed since. */
async function startLong() {
  const kit = await openedKit(ANA);
  const messages = Array.from({ length: 60 }, (_, index) =>
    message(index + 4, index % 2 ? "customer" : "agent", `Answer ${index}`),
  );
  kit.service.change(ANA, waiting({ messages, lastSeq: 63 }));
  await kit.board.refresh();
  document.body.innerHTML = "<div id='desk'></div>";
  const root = document.getElementById("desk");
  if (root) render(<DeskApp desk={kit.desk} />, root);
  await until(() => everything().includes("Answer 58"));
  const parsed = watchParsing();
  const push = async (event: object) => {
    kit.service.push({ type: "conversation.event", conversationId: ANA, event } as never);
    await settled();
  };
  return { kit, push, parsed };
}

describe("the work for one event in a long log", () => {
  it("a piece of an answer parses only that answer's text", async () => {
    const { push, parsed } = await startLong();
    await push({ type: "response.delta", messageId: "msg_64", delta: "On its " });
    await push({ type: "response.delta", messageId: "msg_64", delta: "way" });
    expect(everything()).toContain("On its way");
    expect(parsed).toEqual(["On its ", "On its way"]);
  });

  it("a message parses only its own text", async () => {
    const { push, parsed } = await startLong();
    const created = message(64, "agent", "On its way");
    await push({ type: "message.created", seq: 64, at: at(64), message: created });
    expect(everything()).toContain("On its way");
    expect(parsed).toEqual(["On its way"]);
  });

  it("reading a conversation again parses every text again (control)", async () => {
    const { kit, parsed } = await startLong();
    await kit.board.refresh();
    await settled();
    expect(parsed).toHaveLength(30);
  });
});
