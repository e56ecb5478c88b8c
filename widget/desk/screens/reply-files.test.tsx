import { describe, expect, it } from "vitest";
import { all, eventually, everything, one, press, type } from "../testing/by-role.ts";
import { type Kit, settled, takenKit, until } from "../testing/desk-kit.ts";
import { ANA, at } from "../testing/samples.ts";
import { problem } from "../testing/scripted-service.ts";
import { showDesk } from "./show-desk.test-kit.tsx";

const UPLOAD = `POST /conversations/${ANA}/attachments`;
const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0]);

async function show(): Promise<Kit> {
  const kit = await takenKit(ANA);
  return showDesk(kit);
}
const picture = (name = "lamp.png") => new File([PNG], name, { type: "image/png" });
const stored = (name = "lamp.png", more = {}) =>
  Response.json(
    {
      attachment: { id: "att_1", name, type: "image/png", size: PNG.length, conversationId: ANA, ...more },
      received: { size: PNG.length },
    },
    { status: 201 },
  );
const canSend = () => one("button", "Send reply").getAttribute("aria-disabled") !== "true";

describe("DESK16 files of a reply", () => {
  it("a pasted picture is sent with the reply once the service confirmed it, also without a text", async () => {
    const kit = await show();
    kit.service.script(UPLOAD, () => stored());
    const paste = new Event("paste", { bubbles: true, cancelable: true });
    Object.assign(paste, { clipboardData: { types: ["Files"], files: [picture()] } });
    one("textbox", "Reply").dispatchEvent(paste);
    expect(paste.defaultPrevented).toBe(true);
    await until(canSend);
    one("button", "Send reply").click();
    await until(() => kit.service.callsOf(`POST /conversations/${ANA}/messages`).length === 1);
    expect(kit.service.callsOf(`POST /conversations/${ANA}/messages`)[0]?.body).toMatchObject({
      body: "",
      attachments: [{ id: "att_1" }],
    });
    await until(() => all("button", "Remove lamp.png").length === 0);
    expect(canSend()).toBe(false);
  });

  it("an unconfirmed file holds the reply back, says why, and is retried with the same key", async () => {
    const kit = await show();
    kit.service.script(
      UPLOAD,
      () => problem("unavailable"),
      () => stored("lamp.png", { type: "image/gif" }),
      () => stored(),
    );
    kit.board.addFiles([picture()]);
    const box = one("textbox", "Reply");
    type(box, "Here it is");
    for (const reason of ["The service isn't available right now.", "didn't confirm it"]) {
      await until(() => everything().includes(reason));
      press(box, "Enter");
      await settled();
      expect(kit.service.callsOf(`POST /conversations/${ANA}/messages`)).toEqual([]);
      (await eventually("button", "Retry")).click();
    }
    await until(canSend);
    const keys = kit.service.callsOf(UPLOAD).map(({ headers }) => headers.get("idempotency-key"));
    expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
  });

  it("a file of another type is refused before it is sent; the text is sent without it, and it stays until it is removed", async () => {
    const kit = await show();
    kit.board.addFiles([new File(["hello"], "notes.txt")]);
    await until(() => everything().includes("You can attach images (PNG, JPEG, GIF, WebP) or PDFs."));
    expect(kit.service.callsOf(UPLOAD)).toEqual([]);
    // It would be refused again.
    expect(all("button", "Retry")).toEqual([]);
    expect(everything()).not.toContain("Not confirmed");
    expect(canSend()).toBe(false);
    type(one("textbox", "Reply"), "Hello");
    await until(canSend);
    one("button", "Send reply").click();
    const replies = () => kit.service.callsOf(`POST /conversations/${ANA}/messages`);
    await until(() => replies().length === 1);
    expect(replies()[0]?.body).toMatchObject({ body: "Hello" });
    expect(JSON.stringify(replies()[0]?.body)).not.toContain("attachments");
    expect(everything()).toContain("You can attach images");
    one("button", "Remove notes.txt").click();
    await until(() => all("button", "Remove notes.txt").length === 0);
  });

  it("a dropped picture is sent with the reply", async () => {
    const kit = await show();
    kit.service.script(UPLOAD, () => stored());
    const drop = new Event("drop", { bubbles: true, cancelable: true });
    Object.assign(drop, { dataTransfer: { types: ["Files"], files: [picture()] } });
    one("textbox", "Reply").dispatchEvent(drop);
    expect(drop.defaultPrevented).toBe(true);
    await until(canSend);
    one("button", "Send reply").click();
    await until(() => kit.service.callsOf(`POST /conversations/${ANA}/messages`).length === 1);
    expect(kit.service.callsOf(`POST /conversations/${ANA}/messages`)[0]?.body).toMatchObject({
      attachments: [{ id: "att_1" }],
    });
  });

  it("a file that the service refuses for good offers no Retry either", async () => {
    const kit = await show();
    kit.service.script(UPLOAD, () => problem("file_too_large"));
    kit.board.addFiles([picture()]);
    await until(() => everything().includes("Files can be at most 10 MB."));
    expect(all("button", "Retry")).toEqual([]);
    expect(canSend()).toBe(false);
  });

  it("a picture is shown small, with how much of it is sent, until it is removed", async () => {
    const kit = await show();
    let answer: (response: Response) => void = () => expect.fail("nothing was sent");
    kit.service.script(
      UPLOAD,
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    kit.board.addFiles([picture(), new File(["%PDF-1.7"], "letter.pdf", { type: "application/pdf" })]);
    kit.service.script(UPLOAD, () => problem("unavailable"));
    await until(() => document.querySelector("progress")?.value === 0.5);
    expect(document.querySelector("progress")?.getAttribute("aria-label")).toBe("Uploading lamp.png");
    const thumbnails = [...document.querySelectorAll("form li img")].map((image) =>
      image.getAttribute("src"),
    );
    expect(thumbnails).toEqual(["blob:lamp.png"]);
    answer(stored());
    await until(() => document.querySelector("progress") === null);
    expect(document.querySelectorAll("form li img")).toHaveLength(1);
    one("button", "Remove lamp.png").click();
    await until(() => kit.revoked.length > 0);
    expect(kit.revoked).toEqual(["blob:lamp.png"]);
  });

  it("a refused file takes none of the five places", async () => {
    const kit = await show();
    kit.board.addFiles([new File(["hello"], "notes.txt")]);
    await until(() => everything().includes("You can attach images (PNG, JPEG, GIF, WebP) or PDFs."));
    kit.service.script(UPLOAD, ...Array.from({ length: 5 }, () => () => stored()));
    kit.board.addFiles(Array.from({ length: 5 }, (_, index) => picture(`${index}.png`)));
    await until(() => kit.board.files.value.filter(({ state }) => state.kind === "stored").length === 5);
  });

  it("DESK25 a file of a conversation that has ended is still shown, and can be removed, so that signing out asks about nothing unseen", async () => {
    const kit = await show();
    kit.service.script(UPLOAD, () => stored());
    kit.board.addFiles([picture()]);
    await until(canSend);
    kit.service.push({
      type: "conversation.event",
      conversationId: ANA,
      event: { type: "conversation.ended", by: "customer", seq: 5, at: at(5) },
    });
    await eventually("button", "Reopen");
    expect(kit.desk.unsent.value).toBe("file");
    one("button", "Remove lamp.png").click();
    await until(() => kit.desk.unsent.value === undefined);
  });

  it("no more than five go with one reply", async () => {
    const kit = await show();
    kit.service.script(UPLOAD, ...Array.from({ length: 5 }, () => () => stored()));
    kit.board.addFiles(Array.from({ length: 6 }, (_, index) => picture(`${index}.png`)));
    await until(() => everything().includes("A reply can have at most 5 files."));
    expect(kit.board.files.value).toHaveLength(5);
  });
});
