import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Stage, startStage } from "../kit/stage.ts";
import { createLook, type Look } from "./look.ts";
import { type Browser, type Found, startWebKit } from "./webdriver.ts";

// What e2e/false-success.spec.ts and files.spec.ts show in Chromium: a doubt is shown, the text stays, Retry sends once.

const folder = mkdtempSync(join(tmpdir(), "parley-webkit-"));
const LETTER = join(folder, "letter.pdf");
writeFileSync(LETTER, "%PDF-1.7\n%%EOF\n");

let stage: Stage;
let browser: Browser;
let look: Look;
beforeAll(async () => {
  stage = await startStage({ kind: "full" });
  browser = await startWebKit();
  look = createLook(browser);
});
afterAll(async () => {
  await browser?.close();
  await stage?.dispose();
  rmSync(folder, { recursive: true });
});

const HAS_NO_RETRY = `return ![...document.querySelectorAll("button")].some((one) => one.textContent === "Retry")`;

it("TRUTH2 ATT9 in WebKit a lost answer leaves text and file unconfirmed, and Retry sends them once", async () => {
  const { mock } = stage;
  await browser.goto(`${stage.origin}/`);
  await look.open();
  await look.say("How long does delivery take?");
  await look.reads("2 to 4 business days");
  await browser.choose(
    (await browser.until("return document.querySelector('input[type=file]')")) as Found,
    LETTER,
  );
  await look.named("Remove letter.pdf");

  mock.setFault("turns", "truncated-json", { done: true });
  // The stream would bring the confirmation.
  mock.setFault("events", "status-503");
  mock.cutStreams();
  await look.press("Message");
  await look.say("Here it is");
  await look.reads("Not confirmed");
  await look.reads("Here it is");
  await mock.clearFaults();
  await look.press("Retry");
  await browser.until(HAS_NO_RETRY);
  await look.reads("Sent");
  const [id = ""] = [...mock.conversations.keys()];
  const sent = mock
    .logOf(id)
    .flatMap((event) => ("message" in event && event.message.body === "Here it is" ? [event.message] : []));
  expect(sent.map(({ attachments }) => attachments?.map(({ name }) => name))).toEqual([["letter.pdf"]]);
  expect(mock.violations).toEqual([]);
});
