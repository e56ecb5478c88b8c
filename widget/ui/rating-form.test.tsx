import { signal } from "@preact/signals";
import { render } from "preact";
import { act } from "preact/test-utils";
import { describe, expect, it, onTestFinished } from "vitest";
import type { FailureCode } from "../../shared/errors.ts";
import { ChatFailure } from "../app/chat-failure.ts";
import { startChat } from "../app/testing/start-chat.ts";
import { RatingForm } from "./rating-form.tsx";
import { InPanel } from "./testing-panel.tsx";

async function showFailed(code: FailureCode): Promise<HTMLElement> {
  const root = document.createElement("div");
  document.body.replaceChildren(root);
  onTestFinished(() => render(null, root));
  await act(() =>
    render(
      <InPanel of={startChat()}>
        <RatingForm
          given={{ score: "up" }}
          state={{ kind: "failed", failure: new ChatFailure(code) }}
          unsent={signal({ score: "down" as const })}
          onRate={() => undefined}
        />
      </InPanel>,
      root,
    ),
  );
  return root;
}

describe("LONG3 a changed rating that was not taken", () => {
  it("offers no Retry where the log is full, and promises no new conversation", async () => {
    const form = await showFailed("conversation_full");
    expect(form.textContent).toContain("We couldn't confirm your rating. Support didn't accept this.");
    expect(form.querySelector("button")).toBeNull();
  });

  it("control: offers Retry where nobody knows whether it was taken", async () => {
    const form = await showFailed("support_timeout");
    expect(form.querySelector("button")?.textContent).toBe("Retry");
  });
});
