import {
  addTraits,
  guarded,
  listen,
  load,
  logOut,
  PROVE,
  parley,
  settingsOf,
  tell,
  traitOf,
  warn,
} from "./start.js";

/** Stands in for `$crisp`: its calls go to Parley. docs/switching.md has the table. */

const ON = {
  "session:loaded": "ready",
  "chat:initiated": "open",
  "chat:opened": "open",
  "chat:closed": "close",
  "message:sent": "message:sent",
  "message:received": "message:received",
};
/** The functions that remove handlers, by the name of the event. */
const removals = {};
let draft = "";
let isVisible = true;

const show = (is) => {
  isVisible = is;
  parley(is ? "show" : "hide");
};

const DO = {
  "chat:open": () => parley("open"),
  "chat:close": () => parley("close"),
  "chat:toggle": () => parley("toggle"),
  "chat:show": () => show(true),
  "chat:hide": () => show(false),
  "session:reset"() {
    draft = "";
    logOut();
  },
  "message:send"(type, text) {
    warn("$crisp message:send", "Only the customer sends; the text was put into the text box.");
    if (type === "text") parley("newMessage", text);
  },
};

const person = (name) => (value, proof) => {
  addTraits({ [name]: value }, "Crisp");
  if (proof) warn(`$crisp signed user:${name}`, PROVE);
};
const SET = {
  "user:email": person("email"),
  "user:phone": person("phone"),
  "user:nickname": person("name"),
  "user:company"(company, details) {
    addTraits({ company }, "Crisp");
    if (details) warn("$crisp user:company's details", "Use session:data; people at the desk see traits.");
  },
  "session:segments": (segments) => addTraits({ segments: [segments].flat().join(", ") }, "Crisp"),
  "session:data"(first, value) {
    addTraits(Array.isArray(first) ? Object.fromEntries(first) : { [first]: value }, "Crisp data");
  },
  "message:text"(text) {
    draft = text;
    // Now if it is open, otherwise when it opens: filling it in does not open it.
    if (window.Parley?.isOpen) putDraft();
  },
};

function putDraft() {
  if (draft) parley("newMessage", draft);
  draft = "";
}

const CONFIG = {
  "position:reverse": (is) => parley("update", { position: is ? "left" : "right" }),
  "color:mode": (mode) => parley("update", { colorScheme: mode }),
  "container:index": (index) => parley("update", { zIndex: index }),
};

const VERBS = {
  do: (name, given) => run(DO, "do", name, given),
  set: (name, given) => run(SET, "set", name, given),
  config: (name, given) => run(CONFIG, "config", name, given),
  on(name, handler) {
    if (!ON[name]) return warn(`$crisp on ${name}`, "See the events in docs/api.md.");
    // The page receives ids and roles, never message text.
    const forward = ({ messageId, role }) => {
      // The chat starts once; it is opened many times.
      if (name === "chat:initiated") remove();
      tell(handler, messageId ? { id: messageId, from: role } : undefined);
    };
    const remove = listen(ON[name], forward, handler);
    removals[name] = [...(removals[name] ?? []), remove];
  },
  off(name) {
    for (const remove of removals[name] ?? []) remove();
    delete removals[name];
  },
  safe() {
    // Nothing here throws into the page anyway.
  },
};

function run(table, verb, name, given = []) {
  if (Object.hasOwn(table, name)) return void table[name](...[given].flat(1));
  warn(`$crisp ${verb} ${name}`, "See docs/switching.md.");
}

const IS = {
  "chat:opened": () => window.Parley?.isOpen === true,
  "chat:closed": () => !window.Parley?.isOpen,
  "chat:visible": () => isVisible,
  "chat:hidden": () => !isVisible,
  // Before the first opening nothing is connected, and support may well be there.
  "website:available": () => ["idle", "connecting", "online"].includes(window.Parley?.connection),
};
const GET = {
  "chat:unread:count": () => window.Parley?.unreadCount ?? 0,
  "message:text": () => draft,
  "user:email": () => traitOf("email"),
  "user:phone": () => traitOf("phone"),
  "user:nickname": () => traitOf("name"),
};
const read = (table, verb, otherwise) => (name) => {
  if (Object.hasOwn(table, name)) return table[name]();
  warn(`$crisp.${verb} ${name}`, "The page is not told; see docs/switching.md.");
  return otherwise;
};

const callOne = guarded("$crisp.push", ([verb, ...given]) => {
  if (Object.hasOwn(VERBS, verb)) VERBS[verb](...given);
  else warn(`$crisp ${verb}`, "See docs/switching.md.");
});
const push = (...calls) => {
  for (const each of calls) callOne(each);
};

const queue = window.$crisp;
window.$crisp = { push, get: read(GET, "get", null), is: read(IS, "is", false) };
const config = window.CRISP_RUNTIME_CONFIG ?? {};
parley("update", settingsOf({ locale: config.locale }));
listen("open", putDraft);
if (window.CRISP_TOKEN_ID) warn("CRISP_TOKEN_ID", PROVE);
parley("on", "ready", () => tell(window.CRISP_READY_TRIGGER));
load();
// The object of an earlier load of this file has no queue.
if (Array.isArray(queue)) push(...queue);
