import { signal } from "@preact/signals";
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, describe, expect, it } from "vitest";
import { createMapStorage } from "../../app/testing/start-chat.ts";
import type { Follow } from "../../elements/follow.ts";
import { useStoredPlace } from "./use-stored-place.ts";

/** A log of 1,000 px, with `stored` in the tab's storage; returns where it was led, and whether it was. */
function start(stored: string | undefined, conversationId: string | undefined) {
  const storage = createMapStorage();
  if (stored !== undefined) storage.setItem("parley.place", stored);
  const box = { scrollHeight: 1000, scrollTop: 7 };
  const follow = {
    scroller: { current: box as HTMLDivElement },
    place: signal<Follow["place"]["value"]>("away"),
  };
  let goBack = () => false;
  function Log() {
    goBack = useStoredPlace({ tabStorage: storage }, conversationId, follow);
    return null;
  }
  void act(() => render(<Log />, document.body));
  return { goBack: () => goBack(), box, storage };
}

afterEach(() => render(null, document.body));

describe("FOLLOW2 the place of a reader", () => {
  it("is stored when the page goes, and found once on the next page", () => {
    const { goBack, box, storage } = start("c1 300", "c1");
    expect([goBack(), box.scrollTop, goBack()]).toEqual([true, 700, false]);
    box.scrollTop = 400.4;
    window.dispatchEvent(new Event("pagehide"));
    expect(storage.map.get("parley.place")).toBe("c1 600");
  });

  it.each(["c1", "c1 ", "c1 x", "c1 -5", "c1 1e3", "c1 NaN", "c1 300 4", "c2 300", "", " 300"])(
    "%j in the storage is no place, and moves nothing",
    (stored) => {
      const { goBack, box } = start(stored, "c1");
      expect([goBack(), box.scrollTop]).toEqual([false, 7]);
    },
  );

  it("a log whose first message is not sent yet has no stored place", () => {
    const { goBack, box } = start(undefined, undefined);
    expect([goBack(), box.scrollTop]).toEqual([false, 7]);
  });
});
