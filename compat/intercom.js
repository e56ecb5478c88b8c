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
  tell,
  warn,
} from "./start.js";

/** Stands in for `window.Intercom`: its calls go to Parley. docs/switching.md has the table. */

/** Attributes that are not traits: settings, proofs, and what the vendor's packages add about themselves. */
const KNOWN =
  /^(app_id|api_base|user_hash|intercom_user_jwt|session_duration|hide_default_launcher|custom_launcher_selector|alignment|z_index|action_color|background_color|theme_mode|language_override|horizontal_padding|vertical_padding|installation_type|installation_version|region|page_title|current_page|last_request_at)$/;

const launcherOf = ({ custom_launcher_selector: own, hide_default_launcher: isHidden }) => {
  if (own) return own;
  return isHidden === undefined ? undefined : isHidden ? "none" : "";
};

/** `intercomSettings` as they were at the last shutdown: they say who was there, not who is. */
let retired;
const pageSettings = () => {
  const given = window.intercomSettings ?? {};
  return JSON.stringify(given) === retired ? {} : given;
};

/** The last token: it is for one use, and a bare `update` gives it again. */
let token;

function apply(given) {
  if (noteCustomer(given.user_id)) token = undefined;
  const settings = settingsOf({
    launcher: launcherOf(given),
    position: given.alignment,
    zIndex: given.z_index,
    color: given.action_color ?? given.background_color,
    colorScheme: given.theme_mode === "system" ? "auto" : given.theme_mode,
    locale: given.language_override,
  });
  if (Object.keys(settings).length > 0) parley("update", settings);
  const said = Object.entries(given).filter(([name]) => !KNOWN.test(name));
  if (said.length > 0) addTraits(Object.fromEntries(said), "Intercom attribute");
  if (given.user_hash) warn("Intercom user_hash", PROVE);
  // The server decides: a token that was signed for the former chat fails, and the event identity:failed reports it.
  if (given.intercom_user_jwt && given.intercom_user_jwt !== token) {
    token = given.intercom_user_jwt;
    parley("identify", { token });
  }
  if (given.horizontal_padding !== undefined || given.vertical_padding !== undefined)
    warn("Intercom padding", "The launcher keeps its place; use position, or your own launcher.");
}

const methods = {
  boot(given) {
    apply({ ...pageSettings(), ...given });
    load();
    parley("show");
  },
  update(given) {
    apply(given ?? pageSettings());
    load();
  },
  shutdown() {
    retired = JSON.stringify(window.intercomSettings ?? {});
    token = undefined;
    logOut();
    parley("hide");
    // Also on a page that starts no chat: there the customer of the page before signs out.
    load();
  },
  show: () => parley("open"),
  showMessages: () => parley("open"),
  hide: () => parley("close"),
  showNewMessage: (text) => (text ? parley("newMessage", text) : parley("open")),
  showSpace(name) {
    if (name && name !== "home" && name !== "messages")
      warn(`Intercom showSpace ${name}`, "The chat has one view; it was opened.");
    parley("open");
  },
  ready: (handler) => listen("ready", () => tell(handler), handler),
  onShow: (handler) => listen("open", () => tell(handler), handler),
  onHide: (handler) => listen("close", () => tell(handler), handler),
  onUnreadCountChange: (handler) => listen("unread", ({ count }) => tell(handler, count), handler),
  reattach_activator() {
    // The vendor's own snippet calls this.
  },
};

const INSTEAD = {
  trackEvent: "Send events to your own analytics; Parley keeps none.",
  getVisitorId: "There is no id for the page; the customer's id is the one that your server signs.",
  onUserEmailSupplied: "The page is not told what a customer writes.",
  hideNotifications: "Parley shows no notifications of its own accord.",
  showConversation: "A customer has one conversation; use show.",
};

const call = guarded("Intercom", (name, ...given) => {
  if (Object.hasOwn(methods, name)) return void methods[name](...given);
  warn(`Intercom('${String(name)}')`, INSTEAD[name] ?? "See docs/switching.md.");
});

const queue = window.Intercom?.q;
window.Intercom = Object.assign(call, { booted: true });
if (window.intercomSettings) call("boot");
for (const given of queue ?? []) call(...given);
