import { expect, type Frame, type Page, test } from "@playwright/test";
import { errorsOf } from "./kit/complaints.ts";
import { lampPage, type Site, startSite, TAG } from "./kit/pages.ts";
import { frameOf, panelOn } from "./kit/panel.ts";
import { openShop, type Shop } from "./kit/shop.ts";

let shop: Shop;
/** A site that is not allowed, with a window on the page. */
let stranger: Site;
test.beforeAll(async () => {
  stranger = await startSite({ "/sibling": { html: lampPage("") } });
  const site = await startSite({
    "/": { html: lampPage(TAG) },
    "/raw": {
      html: lampPage(
        `<iframe title="Sibling" src="${stranger.origin}/sibling"></iframe><iframe title="Raw" src="{{origin}}/frame"></iframe>`,
      ),
    },
  });
  shop = await openShop(site);
});
test.afterAll(async () => {
  await shop.dispose();
  await stranger.close();
});

/** Opens a page that contains the panel's frame but no loader. */
async function visitRaw(tab: Page): Promise<Frame> {
  await tab.goto(`${shop.site.origin}/raw`);
  await expect.poll(() => tab.frames().length).toBe(3);
  const panel = frameOf(tab);
  await panel.waitForLoadState("load");
  return panel;
}

test("forged greetings get no answer, whoever sends them; the genuine one does (control)", async ({
  page: tab,
}) => {
  const errors = errorsOf(tab);
  const panel = await visitRaw(tab);

  // A window of another origin on the same page, which gets everything right except for being the parent.
  const sibling = tab.frames().find((one) => one.url() === `${stranger.origin}/sibling`);
  if (!sibling) throw new Error("no sibling");
  await sibling.evaluate((origin) => {
    const { port1, port2 } = new MessageChannel();
    Object.assign(window, { heard: [] as unknown[] });
    port1.onmessage = ({ data }) => (Reflect.get(window, "heard") as unknown[]).push(data);
    window.parent.frames[1]?.postMessage({ parley: 1, type: "connect" }, origin, [port2]);
  }, shop.chat);

  // A scripted event, with the right origin and source.
  const synthetic = await panel.evaluate(
    (origin) =>
      new Promise<string[]>((resolve) => {
        const heard: string[] = [];
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }) => heard.push((data as { type: string }).type);
        const init = { data: { parley: 1, type: "connect" }, origin, source: window.parent, ports: [port2] };
        dispatchEvent(new MessageEvent("message", init));
        // A second, reliable message on the same port: anything earlier would have arrived by then.
        port1.onmessageerror = () => undefined;
        const after = new MessageChannel();
        after.port1.onmessage = () => resolve(heard);
        after.port2.postMessage("after");
      }),
    shop.site.origin,
  );
  expect(synthetic).toEqual([]);

  // The page itself, which may greet, in every wrong way and then correctly.
  const heard = await tab.evaluate(async (origin) => {
    const target = document.querySelector<HTMLIFrameElement>('iframe[title="Raw"]')?.contentWindow;
    const cyclic: Record<string, unknown> = { parley: 1, type: "connect" };
    cyclic["self"] = cyclic;
    const hello = { parley: 1, type: "connect" };
    const wrong: [unknown, number][] = [
      [{ ...hello, parley: 2 }, 1],
      [{ ...hello, parley: "1" }, 1],
      [{ ...hello, type: "identify", token: "x" }, 1],
      [{ ...hello, padding: "x".repeat(1_000_000) }, 1],
      [cyclic, 1],
      [[hello], 1],
      [JSON.stringify(hello), 1],
      [null, 1],
      [new Map([["parley", 1]]), 1],
      [hello, 0],
      [hello, 2],
    ];
    const answers: string[] = [];
    const send = (message: unknown, ports: number) =>
      new Promise<void>((resolve) => {
        const channels = Array.from({ length: ports }, () => new MessageChannel());
        for (const { port1 } of channels) {
          port1.onmessage = ({ data }) => {
            answers.push((data as { type: string }).type);
            resolve();
          };
        }
        target?.postMessage(
          message,
          origin,
          channels.map(({ port2 }) => port2),
        );
        // Wrong greetings are not waited for: the right one comes after all of them.
        if (message !== hello || ports !== 1) resolve();
      });
    for (const [message, ports] of wrong) await send(message, ports);
    const getters = Object.defineProperty({ parley: 1 }, "type", {
      enumerable: true,
      get: () => {
        throw new Error("read");
      },
    });
    await send(getters, 1).catch((error: unknown) => answers.push(String(error)));
    await send(hello, 1);
    return answers;
  }, shop.chat);
  // The throwing getter fails in the page that sent it. Then comes the genuine answer, and nothing before it.
  expect(heard.slice(0, 2)).toEqual(["Error: read", "ready"]);
  expect(await sibling.evaluate(() => Reflect.get(window, "heard"))).toEqual([]);
  expect(errors).toEqual([]);
});

test("a hostile page's messages on the port can't break the panel", async ({ page: tab }) => {
  const errors = errorsOf(tab);
  await visitRaw(tab);
  const answers = await tab.evaluate(async (origin) => {
    const target = document.querySelector<HTMLIFrameElement>('iframe[title="Raw"]')?.contentWindow;
    const { port1, port2 } = new MessageChannel();
    const results: unknown[] = [];
    let last: () => void = () => undefined;
    const done = new Promise<void>((resolve) => {
      last = resolve;
    });
    port1.onmessage = ({ data }) => {
      const message = data as { type: string; id?: number };
      if (message.type === "result") results.push(message);
      if (message.id === 99) last();
    };
    target?.postMessage({ parley: 1, type: "connect" }, origin, [port2]);
    const command = (id: unknown, name: unknown, text: unknown) => ({
      type: "command",
      id,
      command: { name, text },
    });
    const cyclic: Record<string, unknown> = command(2, "newMessage", "cyclic");
    cyclic["self"] = cyclic;
    let deep: unknown = "deep";
    for (let level = 0; level < 500; level++) deep = [deep];
    const hostile = [
      command(1, "newMessage", "x".repeat(1_000_000)),
      cyclic,
      { ...command(3, "newMessage", "big"), n: 1n },
      command("4", "newMessage", "id"),
      command(5, "__proto__", "proto"),
      command(6, "constructor", "constructor"),
      command(7, "fetch", "https://evil.example"),
      { type: "command", id: 8 },
      { type: "command", id: 9, command: null },
      { type: "settings" },
      { type: "settings", settings: deep, page: deep },
      {
        type: "settings",
        settings: { color: "red;} * {display:none", locale: "../../x", colorScheme: "<b>" },
        page: { url: {} },
      },
      { type: "opened", focus: "yes" },
      { type: "ready" },
      { type: "event", event: {} },
      { type: "__proto__" },
      new Date(),
      new Uint8Array(1_000_000),
      "connect",
      7,
    ];
    for (const message of hostile) port1.postMessage(message);
    port1.postMessage(command(99, "newMessage", "What the page suggests"));
    await done;
    return results;
  }, shop.chat);
  // An unknown command is refused, so that a page's promise does not wait forever. Everything else is ignored.
  const refused = [5, 6, 7, 8, 9].map((id) => ({
    type: "result",
    id,
    error: { code: "not_available", message: "This version of the chat has no such command." },
  }));
  expect(answers).toEqual([...refused, { type: "result", id: 99 }]);
  const frame = tab.frameLocator('iframe[title="Raw"]');
  await expect(frame.getByRole("textbox", { name: "Message" })).toHaveValue("What the page suggests");
  expect(errors).toEqual([]);
});

test("a message to the page itself opens nothing and does not count as an answer", async ({ page: tab }) => {
  await tab.goto(`${shop.site.origin}/`);
  await expect(panelOn(tab).launcher).toBeVisible();
  await tab.evaluate(async () => {
    for (const type of ["open", "ready", "connect", "event", "result"]) {
      const message = { parley: 1, type, id: 1, event: { type: "unread", count: 7 } };
      window.postMessage(message, "*", [new MessageChannel().port2]);
      window.dispatchEvent(new MessageEvent("message", { data: message, origin: "http://evil.example" }));
    }
    await new Promise<void>((resolve) => {
      addEventListener("message", ({ data }) => data === "after" && resolve());
      window.postMessage("after", "*");
    });
  });
  expect(await tab.evaluate("[Parley.isOpen, Parley.unreadCount, frames.length]")).toEqual([false, 0, 0]);
});
