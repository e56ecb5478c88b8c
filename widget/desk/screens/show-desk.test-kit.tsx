import { render } from "preact";
import { onTestFinished } from "vitest";
import { type Kit, settled } from "../testing/desk-kit.ts";
import { DeskApp } from "./desk-app.tsx";

/** Renders the whole desk into the document until the end of the test, and returns the same kit. */
export async function showDesk(kit: Kit): Promise<Kit> {
  const root = document.createElement("div");
  document.body.replaceChildren(root);
  render(<DeskApp desk={kit.desk} />, root);
  onTestFinished(() => render(null, root));
  await settled();
  return kit;
}
