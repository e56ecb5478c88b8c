import { codedError, demand } from "./coded-error.ts";
import { emit, handlers, off, on } from "./events.ts";
import { told } from "./host.ts";
import {
  ask,
  close,
  configure,
  connect,
  hide,
  identify,
  isOpen,
  logout,
  open,
  removePanel,
  startPanel,
  toggle,
} from "./panel.ts";
import { mergeSettings } from "./settings.ts";

type Method = (first: never, second: never) => unknown;

/** The stub of the page, and after `destroy` nothing, stand where our own function stands meanwhile. */
const page: { Parley?: ({ readonly q?: ArrayLike<unknown>[] } & object) | undefined } = window as object;

/** The methods of `window.Parley`: design, "JS API". Each may throw a coded error; those without a body come later. */
let methods: Record<string, Method | undefined> = {
  // Else what every object has would count as a call, and resolve.
  __proto__: null as never,
  once: (type, handler) => on(type, handler, true),
  off,
  on,
  update,
  boot: update,
  setLocale: (locale) => update({ locale }),
  open,
  close: () => close(),
  toggle,
  show: () => hide(false),
  hide: () => hide(true),
  requestHuman: (reason) => ask("requestHuman", reason, open()),
  newMessage: (text) => ask("newMessage", text, open()),
  endConversation: () => ask("endConversation", "", connect()),
  logout,
  destroy() {
    methods = { __proto__: null as never };
    handlers.clear();
    removePanel();
    // A page that declared its stub as a function can't have it deleted.
    page.Parley = undefined;
    delete page.Parley;
  },
  identify,
  setTraits(traits) {
    demand(Object(traits) === traits);
    update({ traits });
  },
  doctor: () => ask("doctor", "", connect()),
};

function update(changes: object = {}): void {
  demand(Object(changes) === changes);
  mergeSettings(changes);
  configure();
}

/**
 * Never throws into the page: what fails is a rejected promise and an `error` event. Only `on`, `once` and `off` take a
 * function second, and they answer at once.
 */
function call(name: string, first?: unknown, second?: unknown): unknown {
  const method = methods[name];
  let answer: unknown;
  const result = new Promise((resolve) => {
    demand(method, "not_available");
    answer = method(first as never, second as never);
    resolve(answer);
  }).catch(({ code = "bad_call", message }) => {
    emit("error", { code, message });
    throw codedError(code, message);
  });
  // Handled here, so that a call whose promise nobody keeps makes no noise on the page.
  result.catch(Object);
  return typeof answer === "function" ? answer : result;
}

/** Draws the launcher of the chat that `tag` names, puts `window.Parley` up and carries out what was called before. */
export function install(tag: HTMLScriptElement, version: string): void {
  const queue = page.Parley?.q;
  mergeSettings(tag.dataset);
  mergeSettings(window.parleySettings);
  startPanel(new URL(tag.src).origin, () => call("toggle"));
  for (const name in methods) call[name as never] = call.bind(null, name) as never;
  Object.defineProperties(call, {
    isOpen: { get: () => isOpen },
    unreadCount: { get: () => told.count },
    connection: { get: () => told.status },
  });
  // `q` is for a page that kept the stub, which pushes to it, and assigns it to itself, as long as it lives.
  Object.assign(call, { version, ready: Promise.resolve(), q: { push: replay } });
  page.Parley = call;
  queue?.forEach?.(replay);
}

function replay(args: ArrayLike<unknown>): void {
  call.apply(null, args as unknown as [string]);
}
