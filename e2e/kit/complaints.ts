import type { Page } from "@playwright/test";

/** Records every error of the page and its console from now on. */
export function complaintsOf(tab: Page): string[] {
  const found: string[] = [];
  tab.on("pageerror", (error) => found.push(`error: ${error.message}`));
  tab.on("console", (message) => found.push(`console: ${message.text()}`));
  return found;
}

/** Records uncaught errors of the page's scripts from now on; its console is ignored. */
export function errorsOf(tab: Page): string[] {
  const found: string[] = [];
  tab.on("pageerror", (error) => found.push(String(error)));
  return found;
}
