import "../elements/look.css";
import "../ui/page.css";
import { effect, signal } from "@preact/signals";
import { render } from "preact";
import type { StartSession } from "../../shared/api/session.ts";
import { readTag } from "../../shared/languages.ts";
import { Chat } from "../app/chat.ts";
import type { Environment } from "../app/environment.ts";
import { createLanguage } from "../app/language.ts";
import { acceptPort, attachPort, createPageFacts } from "../app/loader-port.ts";
import { readTraits } from "../app/page-traits.ts";
import { createPart, fetchPinned } from "../app/part.ts";
import { hasLeftFiles } from "../app/session-storage.ts";
import { ifAny } from "../client/if-any.ts";
import { Panel } from "../ui/panel.tsx";
import { accentFrom } from "./accent.ts";
import { afterPaint } from "./after-paint.ts";
import inPageCss from "./in-page.css?inline";
import { readColor } from "./read-color.ts";

declare const __PARLEY_LOCALES__: string;

const tabs = ifAny(() => new BroadcastChannel("parley"));
const environment: Environment = {
  fetch: (path, init) => fetch(path, init),
  now: () => Date.now(),
  random: () => Math.random(),
  randomId,
  setTimer(run, ms) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  storage: ifAny(() => localStorage),
  tabStorage: ifAny(() => sessionStorage),
  tabs: {
    post: (message) => tabs?.postMessage(message),
    listen: (hear) => tabs?.addEventListener("message", ({ data }) => hear(data)),
  },
  isOnline: () => navigator.onLine,
  isVisible: () => document.visibilityState === "visible",
  isWriting: () => document.hasFocus() && document.activeElement?.localName === "textarea",
};

const facts = createPageFacts();
const focusCalls = signal(0);
const onClose = signal<(() => void) | undefined>(undefined);
const chat = new Chat({
  environment,
  describe: describePage,
  loadStream: () => stream.load(),
});
const { language, wake: wakeLanguage } = createLanguage({
  fetch: environment.fetch,
  list: __PARLEY_LOCALES__,
  settings: facts.settings,
  preferred: navigator.languages,
});

/** Files that this version still needs, and that the server's version no longer has. */
const gone = signal<ReadonlySet<string>>(new Set());
const map = document.querySelector('script[type="importmap"]')?.textContent ?? "";
const fetchPart = (name: string, patience: number) => fetchPinned(environment, map, name, gone, patience);
const reload = () => location.reload();

let loader: ReturnType<typeof attachPort> | undefined;

const part = createPart(async (patience) => {
  await fetchPart("/conversation-part", patience);
  const { startConversation } = await import("./conversation-part.ts");
  const { settings } = facts;
  const dress = (rules: string) => loader?.dress(inPageCss + rules);
  const leave = () => loader?.close();
  // Puts the files that are needed later into the browser's cache while the server still has them.
  fetchPinned(environment, map).catch(() => undefined);
  return startConversation({ chat, environment, settings, language, document, dress, leave });
}, environment);

const stream = createPart(async (patience) => {
  await fetchPart("/stream-part", patience);
  const { startStream } = await import("./stream-part.ts");
  return startStream(environment);
}, environment);

const extras = createPart(async (patience) => {
  await Promise.all([part.load(), fetchPart("/extras-part", patience)]);
  const { startExtras } = await import("./extras-part.ts");
  return startExtras({ chat, environment, document });
}, environment);

if (hasLeftFiles(environment)) extras.want();
// Also restored where nothing else of the part is on the screen, because a person has joined.
effect(() => {
  if (chat.composer.summary.value) extras.want();
});

/** Not `crypto.randomUUID`, which a frame in a page without TLS does not have. */
function randomId(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}

/** The page's report about itself, cut to the lengths that the BFF accepts. */
function describePage(): StartSession {
  const { locale, traits } = facts.settings.value;
  const tag = readTag(locale || navigator.language);
  const page = facts.page.value;
  return {
    traits: traits ? readTraits(traits) : undefined,
    locale: tag && tag.length <= 35 ? tag : undefined,
    page: page?.url
      ? { url: page.url.slice(0, 2048), title: page.title?.slice(0, 300) || undefined }
      : undefined,
  };
}

function listedOrigins(): string[] {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="parley-origins"]');
  return (meta?.content ?? "").split(/\s+/).filter(Boolean);
}

function focusPanel(): void {
  show();
  window.focus();
  focusCalls.value += 1;
}

const root = document.documentElement;

effect(() => {
  const { color, colorScheme = "" } = facts.settings.value;
  root.dataset["scheme"] = colorScheme;
  const rgb = color ? readColor(color) : undefined;
  const accent = rgb && accentFrom(rgb);
  for (const scheme of ["light", "dark"] as const) {
    for (const part of ["fill", "on", "text"] as const) {
      // Without a value the default of look.css applies.
      root.style.setProperty(`--accent-${part}-${scheme}`, accent?.[scheme][part] ?? "");
    }
  }
});

effect(() => {
  const { tag, dir, texts } = language.value;
  // Texts change without their language too; setting it again would make the browser resolve every style again.
  if (root.lang !== tag) Object.assign(root, { lang: tag, dir });
  document.title = texts.panel;
});

function greet(greeting: MessageEvent): void {
  const port = acceptPort(greeting, window.parent, listedOrigins());
  if (!port) return;
  removeEventListener("message", greet);
  const attached = attachPort(port, {
    chat,
    facts,
    onFocus: focusPanel,
    afterPaint,
    language,
    // biome-ignore lint/suspicious/noConsole: the site's developer must learn which setting is left out
    warn: (sentence) => console.warn(sentence),
    // As the loader judges selectors: a list of them is not valid.
    isValid: (kind, text) =>
      kind === "color" ? readColor(text) !== undefined : CSS.supports(`selector(${text})`),
    css: inPageCss,
  });
  loader = attached;
  draw();
  onClose.value = () => {
    chat.close();
    attached.close();
  };
}

function wake(): void {
  chat.wake();
  wakeLanguage();
}

addEventListener("online", wake);
addEventListener("offline", chat.goOffline);
addEventListener("pageshow", (event) => {
  if (event.persisted) wake();
});
// In an element of the page there is no launcher: focusing the panel opens the chat.
addEventListener("focusin", () => {
  if (facts.settings.value.inline && !chat.isOpen.value) chat.open();
});
addEventListener("pagehide", () => chat.pause());
// WebKit gives a frame of another site no focus before a key or click in it, so the first letter goes to the composer.
addEventListener("keydown", ({ target, key, ctrlKey, metaKey }) => {
  if (target === document.body && key.length === 1 && !ctrlKey && !metaKey)
    document.querySelector("textarea")?.focus();
});
// Safari focuses no button that is clicked, so Escape would reach neither an open menu nor the panel.
addEventListener("click", ({ target }) => {
  if (document.activeElement === document.body) (target as Element).closest("button")?.focus();
});
document.addEventListener("visibilitychange", () => {
  if (environment.isVisible()) wake();
});

function Root() {
  return (
    <Panel
      chat={chat}
      language={language}
      settings={facts.settings}
      environment={environment}
      part={part}
      extras={extras}
      focusCalls={focusCalls}
      // Without storage a reload would lose the conversation.
      onReload={gone.value.size > 0 && environment.storage && environment.tabStorage ? reload : undefined}
      onClose={facts.settings.value.inline ? undefined : onClose.value}
    />
  );
}

/** Not before the loader's greeting, because nobody sees it until then. */
function draw(): void {
  render(<Root />, document.body);
}

/** Laid out once the page has sent all its settings; otherwise the browser would do it twice while somebody waits. */
function show(): void {
  document.body.hidden = false;
}

effect(() => {
  // After the message that opens the panel, if it came with the page's settings.
  if (facts.page.value) setTimeout(show);
});

if (window.parent === window) {
  // Opened as a page of its own: there is no loader to wait for.
  draw();
  show();
  chat.open();
  focusPanel();
} else {
  addEventListener("message", greet);
}
