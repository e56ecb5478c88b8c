import type { Page } from "@playwright/test";

/** Everything that the page or its console complains of from now on. */
export function complaintsOf(tab: Page): string[] {
  const found: string[] = [];
  tab.on("pageerror", (error) => found.push(`error: ${error.message}`));
  tab.on("console", (message) => found.push(`console: ${message.text()}`));
  return found;
}

/** What scripts of the page throw from now on and nobody catches; its console may say what it likes. */
export function errorsOf(tab: Page): string[] {
  const found: string[] = [];
  tab.on("pageerror", (error) => found.push(String(error)));
  return found;
}
