import { addTraits, load, PROVE, parley, settingsOf, tell, warn } from "./start.js";

/** Stands in for `zE`: its calls go to Parley. docs/switching.md has the table. */

const EVENTS = { open: "open", close: "close", unreadMessages: "unread" };

/** Returns what stops it, also where the chat is not there yet. */
function listen(space, name, handler) {
  if (!EVENTS[name]) {
    warn(`zE('${space}', '${name}')`, "See the events in docs/api.md.");
    return () => undefined;
  }
  const type = EVENTS[name];
  const forward = ({ id, at, count }) =>
    tell(handler, type === "unread" ? count : { id, createdAt: Date.parse(at), type: `messaging:${name}` });
  parley("on", type, forward);
  return () => void parley("off", type, forward);
}

/** `ask` calls back with a token. Success is not reported, because only the server can check the token. */
function logIn(ask, done) {
  parley("identify", { getToken: () => new Promise((resolve) => ask(resolve)) });
  parley("once", "identity:failed", ({ code }) =>
    tell(done, { type: "LoginFailedError", message: code, reason: code }),
  );
  warn(
    "zE loginUser's callback on success",
    "It is called when the login failed; see identity:failed in docs/api.md.",
  );
}

const shared = {
  open: () => parley("open"),
  close: () => parley("close"),
  show: () => parley("show"),
  hide: () => parley("hide"),
};
const messenger = {
  ...shared,
  loginUser: logIn,
  logoutUser: () => parley("logout"),
  resetWidget: () => parley("logout"),
};
const setters = {
  locale: (locale) => parley("setLocale", locale),
  zIndex: (zIndex) => parley("update", { zIndex }),
};

const valuesOf = (given = {}) =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value?.value ?? value]));
const webWidget = {
  ...shared,
  toggle: () => parley("toggle"),
  identify: (given) => {
    addTraits(valuesOf(given), "zE identify");
    warn("zE identify as a proof", PROVE);
  },
  prefill: (given) => addTraits(valuesOf(given), "zE prefill"),
  logout: () => parley("logout"),
  reset: () => parley("logout"),
  setLocale: setters.locale,
  updateSettings: (given) => apply(given?.webWidget),
  updatePath() {
    // The chat learns by itself where the customer is.
  },
};

function apply({ position, zIndex, color, ...others } = {}) {
  parley(
    "update",
    settingsOf({ position: position?.horizontal, zIndex, color: color?.launcher ?? color?.theme }),
  );
  for (const name of Object.keys(others)) warn(`zESettings ${name}`, "See docs/switching.md.");
}

function run(table, space, name, given) {
  if (Object.hasOwn(table, name)) return void table[name](...given);
  warn(`zE('${space}', '${name}')`, "See docs/switching.md.");
}

function zE(space, name, ...given) {
  if (typeof space === "function") return void parley("on", "ready", () => tell(space));
  if (space === "messenger") return run(messenger, space, name, given);
  if (space === "webWidget") return run(webWidget, space, name, given);
  if (space === "messenger:set") return run(setters, space, name, given);
  if (space === "messenger:on" || space === "webWidget:on") return listen(space, name, given[0]);
  if (space === "webWidget:get" && name === "display") return window.Parley?.isOpen ? "chat" : "hidden";
  warn(`zE('${space}', '${name}')`, "See docs/switching.md.");
}

const queue = window.zE?._ ?? window.zE?.q;
window.zE = Object.assign(zE, {
  hide: shared.hide,
  show: shared.show,
  activate: shared.open,
  setLocale: setters.locale,
  identify: webWidget.identify,
  setHelpCenterSuggestions: () =>
    warn("zE.setHelpCenterSuggestions", "Suggest questions by data-suggestions."),
});
if (window.zESettings?.webWidget) apply(window.zESettings.webWidget);
load();
for (const given of queue ?? []) zE(...given);
