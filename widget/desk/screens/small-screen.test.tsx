import { describe, expect, it } from "vitest";
import { one } from "../testing/by-role.ts";
import { type Kit, openedKit, settled, signedInKit, until } from "../testing/desk-kit.ts";
import { ANA } from "../testing/samples.ts";
import { showDesk } from "./show-desk.test-kit.tsx";

const show = async (start: Promise<Kit>) => showDesk(await start);

describe("on a small screen", () => {
  /** Each region's role, and its headings except those within another region. */
  const regions = () =>
    [".queue", ".conversation", ".customer"].map((name) => {
      const region = document.querySelector(name);
      const levels = [...(region?.querySelectorAll("h1, h2, h3") ?? [])].map((heading) =>
        Number(heading.getAttribute("aria-level") ?? heading.localName.slice(1)),
      );
      return [region?.getAttribute("role") ?? region?.localName, levels[0], Math.max(0, ...levels.slice(1))];
    });

  it("the region in the conversation's place is the page's main part with a first-level heading", async () => {
    const kit = await show(openedKit(ANA));
    const beside = [
      ["navigation", 2, 3],
      ["main", 1, 0],
      ["complementary", 2, 3],
    ];
    expect(regions()).toEqual(beside);
    const row = one("button", /Ana Ruiz/);
    kit.columns.value = 2;
    await settled();
    expect(regions()).toEqual([beside[0], beside[1], ["main", 1, 2]]);
    kit.columns.value = 1;
    await settled();
    expect(regions()).toEqual([["main", 1, 2], beside[1], ["main", 1, 2]]);
    // The same elements, so focus and expanded parts are unchanged.
    expect(one("button", /Ana Ruiz/)).toBe(row);
  });

  it("SEEN1 a conversation behind the list or another page is not seen, until it is shown again", async () => {
    const kit = await show(openedKit(ANA));
    const seen = () => kit.service.callsOf(`POST /conversations/${ANA}/read`).length;
    kit.columns.value = 1;
    kit.board.show("queue");
    kit.presence.isPresent = true;
    kit.board.look();
    kit.board.show("customer");
    kit.board.look();
    kit.desk.show("people");
    kit.columns.value = 3;
    kit.board.look();
    await settled();
    expect(seen()).toBe(0);
    kit.desk.show("board");
    await until(() => seen() === 1);
  });

  it("the customer's region has its heading even if nothing could be read", async () => {
    const kit = await show(signedInKit());
    kit.columns.value = 1;
    await settled();
    expect(regions()[2]).toEqual(["main", 1, 0]);
  });
});
