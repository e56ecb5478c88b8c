import { type ReadonlySignal, signal } from "@preact/signals";
import { type ComponentChildren, render } from "preact";
import { act } from "preact/test-utils";
import type { Language } from "../app/language.ts";
import { settle } from "../app/testing/manual-time.ts";
import { startChat } from "../app/testing/start-chat.ts";
import { createTexts } from "../app/texts.ts";
import { createAnnouncer } from "../client/announcer.ts";
import { type ConversationPart, conversationPart } from "./conversation-part.ts";
import type { ExtrasPart } from "./extras.ts";
import { Panel, type PanelProps } from "./panel.tsx";
import { PanelContext } from "./panel-context.ts";

/** An element's accessible name, as far as these tests need it: that of its labels, its label, else its text. */
const nameOf = (element: Element) => {
  const labels = element.getAttribute("aria-labelledby")?.split(" ") ?? [];
  const texts = labels.map((id) => document.getElementById(id)?.textContent ?? "");
  const name = texts.join(" ") || (element.getAttribute("aria-label") ?? element.textContent ?? "");
  return name.replace(/\s+/g, " ").trim();
};

/** All text below an element, with spaces between its text nodes, so that neighbouring words stay apart. */
export function textOf(element: Node): string {
  return element.nodeType === 3 ? (element.nodeValue ?? "") : [...element.childNodes].map(textOf).join(" ");
}

const IMPLICIT: Record<string, string> = { button: "button", textbox: "textarea", link: "a[href]" };

const nothing = () => null;

/** The panel's part of files, rating and offers, of which only `parts` are there. */
export function extrasOf(parts: Partial<ExtrasPart>): PanelProps["extras"] {
  const it: ExtrasPart = {
    erase: () => undefined,
    openPast: () => undefined,
    Foot: nothing,
    Menu: nothing,
    MessageFiles: nothing,
    Contact: nothing,
    isContactOpen: signal(false),
    Summary: nothing,
    isSummaryOpen: signal(false),
    Rating: nothing,
    ...parts,
  };
  return { it: signal(it), want: () => undefined };
}

/** The panel on the page, over a model with a scripted BFF; elements are found by role and name. */
export function startPanel(
  language: Partial<Language> = {},
  started = startChat(),
  it: ReadonlySignal<ConversationPart | undefined> = signal(conversationPart),
  settings: PanelProps["settings"]["value"] = {},
  extras: PanelProps["extras"] = { it: signal(undefined), want: () => undefined },
) {
  const root = document.createElement("div");
  document.body.replaceChildren(root);
  const focusCalls = signal(0);
  let closed = 0;
  const onClose = () => {
    closed += 1;
  };
  void act(() => {
    render(
      <Panel
        chat={started.chat}
        language={signal({ tag: "en", dir: "ltr", texts: createTexts({}, "en"), ...language })}
        settings={signal(settings)}
        environment={started.time}
        part={{ it, want: () => undefined }}
        extras={extras}
        focusCalls={focusCalls}
        onClose={onClose}
      />,
      root,
    );
  });
  const all = (role: string, name?: string) => {
    // An open dialog makes everything else inert.
    const dialog = [...root.querySelectorAll("dialog[open]")].at(-1) ?? root;
    return [
      ...root.querySelectorAll<HTMLElement>(`[role="${role}"]${IMPLICIT[role] ? `, ${IMPLICIT[role]}` : ""}`),
    ].filter((element) => dialog.contains(element) && (name === undefined || nameOf(element) === name));
  };
  const get = (role: string, name?: string): HTMLElement => {
    const found = all(role, name);
    if (found.length !== 1 || !found[0]) throw new Error(`${found.length} of ${role} "${name ?? ""}"`);
    return found[0];
  };
  const rest = () => act(settle);
  const box = () => get("textbox", "Message") as HTMLTextAreaElement;
  const key = async (name: string, init: KeyboardEventInit = {}, target: HTMLElement = box()) => {
    const event = new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true, ...init });
    await act(() => void target.dispatchEvent(event));
    await rest();
    return event;
  };
  const type = async (text: string) => {
    await act(() => {
      box().value = text;
      box().dispatchEvent(new Event("input", { bubbles: true }));
    });
  };
  return {
    ...started,
    root,
    all,
    get,
    box,
    key,
    type,
    rest,
    closed: () => closed,
    text: () => textOf(root).replace(/\s+/g, " "),
    log: () => textOf(get("log")).replace(/\s+/g, " "),
    open: async () => {
      await act(() => {
        started.chat.open();
        focusCalls.value += 1;
      });
      await rest();
    },
    say: async (text: string) => {
      await type(text);
      await key("Enter");
    },
    click: async (role: string, name: string) => {
      await act(() => get(role, name).click());
      await rest();
    },
  };
}

/** A part of the panel by itself, in English. */
export function InPanel(props: {
  of: Pick<ReturnType<typeof startChat>, "chat" | "time">;
  children: ComponentChildren;
}) {
  const panel = {
    chat: props.of.chat,
    texts: createTexts({}, "en"),
    locale: "en",
    environment: props.of.time,
    announcer: createAnnouncer(props.of.time.setTimer, 4_000),
    extras: { it: signal(undefined), want: () => undefined },
    focusComposer: () => undefined,
  };
  return <PanelContext.Provider value={panel}>{props.children}</PanelContext.Provider>;
}

/** As `startPanel`, open, with one message that the service has confirmed. */
export async function startTalk(settings?: PanelProps["settings"]["value"]) {
  const panel = startPanel({}, startChat(), signal(conversationPart), settings);
  await panel.open();
  await panel.say("Hello");
  return panel;
}

/** The announcements of a live region from now on, in order. */
export function listenTo(region: Element): readonly string[] {
  const heard: string[] = [];
  new MutationObserver((records) => {
    for (const { addedNodes } of records)
      for (const { textContent } of addedNodes) heard.push(textContent ?? "");
  }).observe(region, { childList: true });
  return heard;
}
