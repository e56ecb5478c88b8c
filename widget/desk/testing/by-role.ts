import { until } from "./desk-kit.ts";

const SELECTORS = {
  button: "button",
  textbox: "textarea, input",
  heading: "h1, h2, h3",
  main: "main",
  log: "[role=log]",
  status: "[role=status]",
  alert: "[role=alert]",
  alertdialog: "[role=alertdialog]",
  navigation: "nav, [role=navigation]",
  link: "a[href]",
  region: "section[aria-label]",
} as const;

export type RoleName = keyof typeof SELECTORS;

/** The accessible name, by the rules that the desk uses: `aria-label`, a `label`, or the text without decoration. */
export function nameOf(element: Element): string {
  const label = element.getAttribute("aria-label");
  if (label) return label;
  const labelled = element.id ? document.querySelector(`label[for="${element.id}"]`) : null;
  const named = (labelled ?? element).cloneNode(true) as Element;
  for (const unsaid of named.querySelectorAll('[aria-hidden="true"]')) unsaid.remove();
  return named.textContent?.replace(/\s+/g, " ").trim() ?? "";
}

/** Every element of that role whose name is (or matches) `name`, in document order. */
export function all(role: RoleName, name?: string | RegExp): HTMLElement[] {
  const fits = (found: string) =>
    name === undefined || (typeof name === "string" ? found === name : name.test(found));
  return [...document.querySelectorAll<HTMLElement>(SELECTORS[role])].filter((each) => fits(nameOf(each)));
}

/** The only element of that role and name; throws with what exists instead. */
export function one(role: RoleName, name?: string | RegExp): HTMLElement {
  const found = all(role, name);
  const [first] = found;
  if (first && found.length === 1) return first;
  throw new Error(`${found.length} of ${role} "${name}", among: ${all(role).map(nameOf).join(" | ")}`);
}

/** Like `one`, once it exists. */
export async function eventually(role: RoleName, name?: string | RegExp): Promise<HTMLElement> {
  await until(() => all(role, name).length === 1, `there is a ${role} "${name}"`);
  return one(role, name);
}

/** Types as a person does: sets the text, and fires the events. */
export function type(box: HTMLElement, text: string): void {
  if (!(box instanceof HTMLInputElement || box instanceof HTMLTextAreaElement)) throw new Error("not a box");
  box.value = text;
  box.dispatchEvent(new Event("input", { bubbles: true }));
}

export function press(element: HTMLElement, key: string, more: KeyboardEventInit = {}): KeyboardEvent {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
  element.dispatchEvent(event);
  return event;
}

/** The text nodes one by one: joined, "Ana" and "Sent" would be one word that no search finds. */
function textsOf(node: Node): string[] {
  if (node.nodeType === Node.TEXT_NODE) return [node.textContent ?? ""];
  return [...node.childNodes].flatMap(textsOf);
}

/** Everything that the page shows or announces. */
export function everything(): string {
  const names = [...document.querySelectorAll("[aria-label], [title]")].map(
    (each) => `${each.getAttribute("aria-label") ?? ""} ${each.getAttribute("title") ?? ""}`,
  );
  return [...textsOf(document.body), ...names].join("\n");
}
