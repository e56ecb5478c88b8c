import { signal } from "@preact/signals";
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Rating } from "../../shared/rating.ts";
import { FAULTS, json } from "../app/testing/scripted-bff.ts";
import { startChat } from "../app/testing/start-chat.ts";
import { RatingForm } from "./rating-form.tsx";
import { InPanel, startPanel } from "./testing-panel.tsx";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function startDoubt() {
  const panel = startPanel();
  await panel.open();
  await panel.say("Hello");
  panel.bff.script("POST /api/conversation/handoff", FAULTS["500 problem"] ?? (() => json(500, {})));
  await panel.click("button", "Talk to a person");
  return panel;
}

describe("SAY2 when the focused element is removed", () => {
  it("the focus moves to the message box", async () => {
    const panel = await startDoubt();
    const retry = panel.get("button", "Retry");
    retry.focus();
    await panel.click("button", "Retry");
    expect(retry.isConnected).toBe(false);
    expect(document.activeElement).toBe(panel.box());
  });

  it("control: the focus stays when another element is removed", async () => {
    const panel = await startDoubt();
    panel.get("button", "Retry").focus();
    const close = panel.get("button", "Close chat");
    close.focus();
    await panel.click("button", "Retry");
    expect(document.activeElement).toBe(close);
  });

  it("control: a panel in a frame takes no focus from the page", async () => {
    vi.stubGlobal("parent", {});
    vi.spyOn(document, "hasFocus").mockReturnValue(false);
    const panel = await startDoubt();
    panel.get("button", "Retry").focus();
    await panel.click("button", "Retry");
    expect(document.activeElement).toBe(document.body);
  });

  it("the focus moves to Change rating after the rating is confirmed, and back to the choice; never from elsewhere", async () => {
    const root = document.createElement("div");
    document.body.replaceChildren(root);
    const given = signal<Rating | undefined>(undefined);
    const unsent = signal({});
    const started = startChat();
    const form = () => (
      <RatingForm
        given={given.value}
        state={{ kind: "idle" }}
        unsent={unsent}
        onRate={(rating) => {
          given.value = rating;
        }}
      />
    );
    const draw = () => act(() => render(<InPanel of={started}>{form()}</InPanel>, root));
    const find = (selector: string) => {
      const found = root.querySelector<HTMLElement>(selector);
      if (!found) throw new Error(`no ${selector}`);
      return found;
    };
    const press = async (selector: string) => {
      find(selector).focus();
      await act(() => find(selector).click());
      await draw();
    };
    await draw();
    await press("input[value=up]");
    await press("button[type=submit]");
    expect(document.activeElement?.textContent).toBe("Change rating");
    await press(".quiet");
    expect(document.activeElement).toBe(find("input[value=up]"));
    const box = document.createElement("textarea");
    document.body.append(box);
    box.focus();
    await act(() => find("button[type=submit]").click());
    await draw();
    expect(document.activeElement).toBe(box);
  });
});
