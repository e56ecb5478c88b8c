import { signal } from "@preact/signals";
import { render } from "preact";
import { act } from "preact/test-utils";
import { expect, test } from "vitest";
import type { Announcement } from "../client/announcer.ts";
import { LiveRegions } from "./live-regions.tsx";

test("SAY1 regions that appear with a dialog don't repeat what was announced before", async () => {
  const place = document.createElement("div");
  const before: Announcement = { id: 1, text: "Not confirmed.", urgent: true };
  const said = signal([before]);
  await act(() => render(<LiveRegions said={said} />, place));
  expect(place.textContent).toBe("");
  await act(() => {
    said.value = [before, { id: 2, text: "Sam has joined.", urgent: false }];
  });
  expect(place.textContent).toBe("Sam has joined.");
});
