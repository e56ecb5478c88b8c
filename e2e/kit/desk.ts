import { expect, type Page } from "@playwright/test";

export const DESK_PASSWORD = "a quiet harbour at dawn";

/** Uses the one-time link to create the first account, and waits for the desk. */
export async function setUpDesk(page: Page, link: string, name = "Maya Lindqvist"): Promise<void> {
  await page.goto(link);
  await page.getByLabel("E-mail").fill("maya@harbour.example");
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Password", { exact: true }).fill(DESK_PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("heading", { name: "Queue" })).toBeVisible();
}
