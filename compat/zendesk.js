import {
  addTraits,
  guarded,
  listen as listenTo,
  load,
  logOut,
  PROVE,
  parley,
  settingsOf,
  tell,
  warn,
} from "./start.js";

/** Stands in for `zE`: its calls go to Parley. docs/switching.md has the table. */

const EVENTS = { open: "open", close: "close", unreadMessages: "unread" };
/** The vendor's names of the two, in the event that a handler gets. */
const TYPES = { open: "messagingOpened", close: "messagingClosed" };

/** Returns a function that unsubscribes, even if the chat is not loaded yet. */
function listen(space, name, handler) {
  if (!EVENTS[name]) {
    warn(`zE('${space}', '${name}')`, "See the events in docs/api.md.");
    return () => undefined;
  }
  const type = EVENTS[name];
  const forward = ({ id, at, count }) =>
    tell(handler, type === "unread" ? count : { id, createdAt: Date.parse(at), type: TYPES[name] });
  return listenTo(type, forward, handler);
}

/** Removes the callback of the last login: the next login has its own. */
let endLogin = () => undefined;

/** `ask` calls back with a token. Success is not reported, because only the server can check the token. */
function logIn(ask, done) {
  // Nobody would give a token, and the failure could arrive while the next login waits.
  if (typeof ask !== "function")
    return warn("zE loginUser without a function", "Give a function that calls back with a token.");
  endLogin();
  parley("identify", { getToken: () => new Promise((resolve) => ask(resolve)) });
  endLogin = listenTo("identity:failed", ({ code }) => {
    endLogin();
    tell(done, { type: "LoginFailedError", message: code, reason: code });
  });
  warn(
    "zE loginUser's callback on success",
    "It is called when the login failed; see identity:failed in docs/api.md.",
  );
}

function logOutUser() {
  endLogin();
  return logOut();
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
  logoutUser: logOutUser,
  // Called back when the logout was confirmed; a failure is an event `error`.
  resetWidget: (done) =>
    void Promise.resolve(logOutUser()).then(
      () => tell(done),
      () => undefined,
    ),
};
const setters = {
  locale: (locale) => parley("setLocale", locale),
  zIndex: (zIndex) => parley("update", { zIndex }),
};

const valuesOf = (given) =>
  Object.fromEntries(Object.entries(given ?? {}).map(([name, value]) => [name, value?.value ?? value]));
const webWidget = {
  ...shared,
  toggle: () => parley("toggle"),
  identify: (given) => {
    addTraits(valuesOf(given), "zE identify");
    warn("zE identify as a proof", PROVE);
  },
  prefill: (given) => addTraits(valuesOf(given), "zE prefill"),
  logout: logOutUser,
  reset: logOutUser,
  setLocale: setters.locale,
  updateSettings: (given) => apply(given?.webWidget),
  updatePath() {
    // The chat already knows which page the customer is on.
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

const zE = guarded("zE", (space, name, ...given) => {
  if (typeof space === "function") return void parley("on", "ready", () => tell(space));
  if (space === "messenger") return run(messenger, space, name, given);
  if (space === "webWidget") return run(webWidget, space, name, given);
  if (space === "messenger:set") return run(setters, space, name, given);
  if (space === "messenger:on" || space === "webWidget:on") return listen(space, name, given[0]);
  if (space === "webWidget:get" && name === "display") return window.Parley?.isOpen ? "chat" : "hidden";
  warn(`zE('${space}', '${name}')`, "See docs/switching.md.");
});

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
