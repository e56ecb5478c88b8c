import { expect, type Page, test } from "@playwright/test";
import { lampPage, startSite, TAG } from "./kit/pages.ts";
import { frameOf, panelOn } from "./kit/panel.ts";
import { openShop, type Shop } from "./kit/shop.ts";

let shop: Shop;
test.beforeAll(async () => {
  const site = await startSite({
    "/": { html: lampPage(TAG) },
    "/tag": {
      html: lampPage(
        '<script>window.parleySettings={title:"From settings",color:"#123456"}</script><script async src="{{widget}}" data-locale="en" data-color="#654321" data-color-scheme="dark" data-position="left" data-z-index="77" data-title="From tag" data-greeting="Moin!" data-fallback="mailto:help@example.com"></script>',
      ),
    },
  });
  shop = await openShop(site);
});
test.afterAll(() => shop.dispose());

declare global {
  interface Window {
    heard: Record<string, unknown>[];
  }
}

/** Records every event of the page's API from now on. */
function listen(tab: Page, types: readonly string[]): Promise<void> {
  return tab.evaluate((all) => {
    window.heard = [];
    for (const type of all) window.Parley.on(type as "open", (event) => void window.heard.push({ ...event }));
  }, types);
}
const typesHeard = (tab: Page) => tab.evaluate(() => window.heard.map(({ type }) => type));

/** The code with which a call is refused; undefined if it succeeded. */
function codeOf(tab: Page, name: string, ...args: unknown[]): Promise<unknown> {
  return tab.evaluate(
    async ([method, given]) => {
      const call = window.Parley as unknown as (...all: unknown[]) => Promise<unknown>;
      return call(method, ...given).then(
        () => "resolved",
        (error: { code?: unknown }) => error.code,
      );
    },
    [name, args] as const,
  );
}

test("each call, getter and event of the page's API works as documented", async ({ page: tab }) => {
  await tab.goto(`${shop.site.origin}/`);
  const panel = panelOn(tab);
  await expect(panel.launcher).toBeVisible();
  const types =
    "ready open close unread message:sent message:received conversation:started conversation:ended handoff:requested handoff:failed identity:failed connection error";
  await listen(tab, types.split(" "));
  const state = () =>
    tab.evaluate(async () => {
      await window.Parley.ready;
      const { isOpen, unreadCount, connection, version } = window.Parley;
      return { isOpen, unreadCount, connection, version };
    });
  expect(await state()).toEqual({
    isOpen: false,
    unreadCount: 0,
    connection: "idle",
    version: expect.stringMatching(/^\d/),
  });

  await tab.evaluate(() => window.Parley.setTraits({ plan: "pro" }));
  await tab.evaluate(() => window.Parley.newMessage("How do I pay?"));
  await expect(panel.composer).toHaveValue("How do I pay?");
  await panel.button("Send").click();
  await expect(panel.log.getByText("Sent").first()).toBeVisible();
  await expect
    .poll(() => typesHeard(tab))
    .toEqual(expect.arrayContaining(["message:sent", "message:received"]));
  expect(await state()).toMatchObject({ isOpen: true, connection: "online" });

  await tab.evaluate(() => window.Parley.toggle());
  await expect(panel.launcher).toBeVisible();
  await tab.evaluate(() => window.Parley.hide());
  await expect(panel.launcher).toBeHidden();
  await tab.evaluate(() => window.Parley.show());
  await expect(panel.launcher).toBeVisible();
  await tab.evaluate(() => window.Parley("open"));
  await tab.evaluate(() => window.Parley.close());
  await tab.evaluate(() => window.Parley.requestHuman("billing"));
  await expect(panel.composer).toBeVisible();
  await tab.evaluate(() => window.Parley.endConversation());
  await expect
    .poll(() => typesHeard(tab))
    .toEqual(
      expect.arrayContaining(["conversation:started", "handoff:requested", "conversation:ended", "close"]),
    );

  await tab.evaluate(() => window.Parley.setLocale("de"));
  await expect(panel.frame.getByRole("textbox", { name: "Nachricht" })).toBeVisible();
  await tab.evaluate(() => window.Parley.setLocale("en"));
  await tab.evaluate(() => window.Parley.update({ title: "Lamp help" }));
  await expect(panel.frame.getByRole("heading", { name: "Lamp help" })).toBeVisible();
  await tab.evaluate(() => window.Parley.logout());
  expect(await state()).toMatchObject({ isOpen: false });

  // The logout is not for who writes after it: their conversation is there when the frame loads again.
  await panel.open();
  await panel.say("Somebody else");
  await expect(panel.log.getByText("Sent").last()).toBeVisible();
  await frameOf(tab).evaluate(() => location.reload());
  await expect(panel.log.getByText("Somebody else")).toBeVisible();

  expect(await codeOf(tab, "boot", "blue")).toBe("bad_call");
  expect(await codeOf(tab, "identify", {})).toBe("bad_call");
  expect(await codeOf(tab, "explode")).toBe("not_available");
  expect(await codeOf(tab, "doctor")).toEqual(expect.any(String));
  const heard = await tab.evaluate(() => window.heard);
  expect(heard.filter(({ type }) => type === "error").length).toBeGreaterThanOrEqual(3);
  for (const event of heard)
    expect(event).toMatchObject({ id: expect.any(String), at: expect.stringMatching(/Z$/) });
  expect(new Set(heard.map(({ id }) => id)).size).toBe(heard.length);
  expect(JSON.stringify(heard)).not.toContain("How do I pay");

  const kept = await tab.evaluate(async () => {
    const { Parley } = window;
    await Parley.destroy();
    return Parley.open().then(String, (error: { code?: unknown }) => error.code);
  });
  expect(kept).toBe("not_available");
  await expect(tab.locator("parley-chat")).toHaveCount(0);
});

test("each attribute of the tag and each page setting takes effect; the last one wins", async ({
  page: tab,
}) => {
  await tab.goto(`${shop.site.origin}/tag`);
  const panel = panelOn(tab);
  await expect(panel.launcher).toHaveCSS("background-color", "rgb(18, 52, 86)");
  await expect(tab.locator("parley-chat")).toHaveCSS("z-index", "77");
  await expect(tab.locator("parley-chat")).toHaveCSS("color-scheme", "dark");
  expect((await panel.launcher.boundingBox())?.x).toBeLessThan(100);
  await panel.open();
  await expect(panel.frame.getByRole("heading", { name: "From settings" })).toBeVisible();
  await expect(panel.frame.getByText("Moin!")).toBeVisible();
  await tab.evaluate(() => window.Parley.boot({ title: "From boot", position: "right", launcher: "none" }));
  await expect(panel.frame.getByRole("heading", { name: "From boot" })).toBeVisible();
  await panel.button("Close chat").click();
  await expect(panel.launcher).toBeHidden();
});
