import {
  addTraits,
  guarded,
  listen,
  load,
  logOut,
  noteCustomer,
  PROVE,
  parley,
  settingsOf,
  warn,
} from "./start.js";

/** Stands in for `chatwootSDK` and `$chatwoot`, with the events of its window. docs/switching.md has the table. */

/** A locale as the former chat writes it: `pt_BR`. */
const localeOf = (locale) => locale && String(locale).replace("_", "-");

const tellWindow = (name, detail) => window.dispatchEvent(new CustomEvent(`chatwoot:${name}`, { detail }));

/** The settings with a counterpart. */
const KNOWN =
  /^(hideMessageBubble|position|locale|useBrowserLanguage|darkMode|welcomeTitle|welcomeDescription|showUnreadMessagesDialog)$/;
const INSTEAD = {
  type: "Use your own launcher: data-launcher.",
  launcherTitle: "Use your own launcher: data-launcher.",
  showPopoutButton: "The panel stays in the page.",
  widgetStyle: "Use data-color.",
};

function apply(given) {
  const settings = settingsOf({
    launcher: given.hideMessageBubble ? "none" : undefined,
    position: given.position,
    locale: given.useBrowserLanguage ? undefined : localeOf(given.locale),
    colorScheme: given.darkMode,
    title: given.welcomeTitle,
    greeting: given.welcomeDescription,
    teaser: given.showUnreadMessagesDialog,
  });
  parley("update", settings);
  for (const [name, value] of Object.entries(given)) {
    // What INSTEAD names is off here, and everything else is on: saying so again needs no warning.
    const isDefault =
      value === !Object.hasOwn(INSTEAD, name) || [undefined, null, "", "standard"].includes(value);
    if (!KNOWN.test(name) && !isDefault)
      warn(`chatwootSettings.${name}`, INSTEAD[name] ?? "See docs/switching.md.");
  }
}

const forget = (name) => addTraits({ [name]: undefined }, "Chatwoot attribute");
const label = () => warn("$chatwoot.setLabel", "Use setTraits; people at the desk see traits.");

const chatwoot = {
  hasLoaded: false,
  get isOpen() {
    return window.Parley?.isOpen ?? false;
  },
  toggle: (state) => parley({ open: "open", close: "close" }[state] ?? "toggle"),
  toggleBubbleVisibility: (state) => parley("update", { launcher: state === "hide" ? "none" : "" }),
  popoutChatWindow: () =>
    warn("$chatwoot.popoutChatWindow", "The panel stays in the page; use toggle('open')."),
  setUser(id, given) {
    const { identifier_hash: hash, ...user } = given ?? {};
    noteCustomer(id);
    addTraits({ user_id: id, ...user }, "Chatwoot user");
    warn(hash ? "$chatwoot.setUser identifier_hash" : "$chatwoot.setUser as a proof", PROVE);
  },
  setCustomAttributes: (given) => addTraits(given, "Chatwoot attribute"),
  deleteCustomAttribute: forget,
  setConversationCustomAttributes: (given) => addTraits(given, "Chatwoot attribute"),
  deleteConversationCustomAttribute: forget,
  setLabel: label,
  removeLabel: label,
  setLocale: (locale) => parley("setLocale", localeOf(locale)),
  setColorScheme: (scheme) => parley("update", { colorScheme: scheme }),
  reset: () => logOut(),
};

for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(chatwoot)))
  if (typeof value === "function") chatwoot[name] = guarded(`$chatwoot.${name}`, value);

/** An empty element whose class says whether the chat is open: packages of the former chat watch it. */
function placeHolder() {
  document.querySelector(".woot-widget-holder")?.remove();
  const holder = document.createElement("div");
  holder.hidden = true;
  const setOpen = (isOpen) => {
    holder.className = isOpen ? "woot-widget-holder" : "woot-widget-holder woot--hide";
  };
  setOpen(false);
  listen("open", () => setOpen(true));
  listen("close", () => setOpen(false));
  document.body.append(holder);
}

function tellEvents() {
  placeHolder();
  listen("open", () => tellWindow("opened"));
  listen("close", () => tellWindow("closed"));
  listen("unread", ({ count }) =>
    tellWindow("on-unread-message-count-changed", { unreadMessageCount: count }),
  );
  // Ids and roles only: the page never receives message text.
  for (const type of ["message:sent", "message:received"])
    listen(type, ({ messageId, role }) => tellWindow("on-message", { id: messageId, role }));
  listen("conversation:started", () => tellWindow("on-start-conversation", { hasConversation: false }));
  listen("identity:failed", ({ code }) => tellWindow("error", { code }));
  listen("ready", () => {
    chatwoot.hasLoaded = true;
    tellWindow("ready");
  });
}

window.chatwootSDK = {
  run() {
    if (window.$chatwoot) return;
    window.$chatwoot = chatwoot;
    guarded("chatwootSettings", apply)(window.chatwootSettings ?? {});
    tellEvents();
    load();
  },
};
