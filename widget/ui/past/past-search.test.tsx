import { act } from "preact/test-utils";
import { describe, expect, it } from "vitest";
import { FAULTS, json } from "../../app/testing/scripted-bff.ts";
import { type Answerer, one, openPast } from "./testing-past.tsx";

const many = (count: number) => Array.from({ length: count }, (_, at) => one(`c${at}`));

/** The list of eight conversations, with a search that gives `found`, one answer for each call. */
async function search(words: string, ...found: Answerer[]) {
  const opened = await openPast(() => json(200, { conversations: many(8) }), undefined, ["search"]);
  opened.bff.script("POST /api/conversations/search", ...found);
  const box = opened.dialog()?.querySelector<HTMLInputElement>('input[type="search"]');
  if (!box) throw new Error("there is no search");
  await act(() => {
    box.value = words;
    box.form?.requestSubmit();
  });
  await opened.panel.rest();
  const clear = async () => {
    await act(() => {
      box.value = "";
      box.dispatchEvent(new Event("input", { bubbles: true }));
    });
    await opened.panel.rest();
  };
  return { ...opened, clear };
}

describe("HIST3 the search among past conversations", () => {
  it("shows what the service found, with the words around it, also after empty pages, and then all again", async () => {
    const page = (more: object) => () => json(200, { text: "lamp", conversations: [], ...more });
    const hit = one("hit", { excerpt: "…the lamp is broken" });
    const { bff, text, dialog, clear } = await search(
      " lamp ",
      page({ next: "1" }),
      page({ conversations: [hit] }),
    );
    expect(text()).toContain("the lamp is broken");
    expect(dialog()?.querySelectorAll("li")).toHaveLength(1);
    expect(bff.calls("POST /api/conversations/search").map(({ body }) => body)).toEqual([
      { text: "lamp" },
      { text: "lamp", after: "1" },
    ]);
    await clear();
    expect(dialog()?.querySelectorAll("li")).toHaveLength(8);
  });

  it("says that nothing was found", async () => {
    const { text } = await search("lamp", () => json(200, { text: "lamp", conversations: [] }));
    expect(text()).toContain("Nothing found");
  });

  it.each([
    ...Object.entries(FAULTS),
    ["found for other words", () => json(200, { text: "desk", conversations: [one("a")] })] as const,
  ])("%s shows nothing and does not say that nothing was found", async (_, fault) => {
    const { text, dialog } = await search("lamp", fault);
    expect(dialog()?.querySelectorAll("li")).toHaveLength(0);
    expect(text()).not.toContain("Nothing found");
    expect(text()).toContain("Retry");
  });

  it.each([
    ["of few conversations", 7, ["search"]],
    ["at a service without it", 8, []],
  ] as const)("%s is not offered", async (_, count, capabilities) => {
    const { dialog } = await openPast(() => json(200, { conversations: many(count) }), undefined, [
      ...capabilities,
    ]);
    expect(dialog()?.querySelectorAll("li")).toHaveLength(count);
    expect(dialog()?.querySelector("input")).toBeNull();
  });
});
