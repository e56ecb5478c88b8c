import { render } from "preact";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { all, eventually, one, type } from "../testing/by-role.ts";
import { settled, takenKit } from "../testing/desk-kit.ts";
import { ANA } from "../testing/samples.ts";
import { DeskApp } from "./desk-app.tsx";

const report = vi.fn();
beforeEach(() => void vi.stubGlobal("reportError", report));
afterEach(() => vi.unstubAllGlobals());

it("LOOK11 a desk that can't be rendered says so; reloading it restores the draft", async () => {
  const { desk } = await takenKit(ANA);
  document.body.innerHTML = "<div id='desk'></div>";
  const root = document.getElementById("desk") as HTMLElement;
  render(<DeskApp desk={desk} />, root);
  type(await eventually("textbox", "Reply"), "Half a reply");
  await settled();

  const fault = new Error("a screen that throws");
  const broken = {
    get value(): never {
      throw fault;
    },
  };
  render(<DeskApp desk={{ ...desk, screen: broken as unknown as typeof desk.screen }} />, root);
  await settled();
  expect(one("heading", "Something went wrong")).toBeDefined();
  expect(report).toHaveBeenCalledExactlyOnceWith(fault);

  render(<DeskApp desk={desk} />, root);
  one("button", "Reload the desk").click();
  const box = await eventually("textbox", "Reply");
  expect((box as HTMLTextAreaElement).value).toBe("Half a reply");
  expect(all("button", "Reload the desk")).toEqual([]);
  render(null, root);
});
