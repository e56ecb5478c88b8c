import type { ParleyMethods } from "../parley.d.ts";
import { codedError, demand } from "./coded-error.ts";
import { emit, handlers, off, on } from "./events.ts";
import { frameReport } from "./host.ts";
import {
  ask,
  close,
  configure,
  hide,
  identify,
  identityTurns,
  isOpen,
  logout,
  open,
  removePanel,
  startPanel,
  toggle,
} from "./panel.ts";
import { mergeSettings, rememberInitial } from "./settings.ts";

type Method = (first: never, second: never) => unknown;

/** `Parley` is the page's stub before ours is installed, and undefined after `destroy`. */
const page: { Parley?: ({ readonly q?: ArrayLike<unknown>[] } & object) | undefined } = window as object;

/** The methods of `window.Parley`, by name: see docs/api.md. Each may throw a coded error. */
const methods: Readonly<Record<keyof ParleyMethods, Method>> = {
  once: (type, handler) => on(type, handler, true),
  off,
  on,
  update,
  boot: update,
  setLocale: (locale) => update({ locale }),
  open: () => open(),
  close: () => close(),
  toggle,
  show: () => hide(false),
  hide: () => hide(true),
  requestHuman: (reason) => ask("requestHuman", reason, open()),
  newMessage: (text) => ask("newMessage", text, open()),
  endConversation: () => ask("endConversation"),
  logout,
  destroy() {
    isDestroyed = true;
    handlers.clear();
    const removed = removePanel();
    // A stub that was declared as a function can't be deleted.
    page.Parley = undefined;
    delete page.Parley;
    return removed;
  },
  identify,
  setTraits(traits) {
    demand(Object(traits) === traits);
    update({ traits });
  },
  doctor: () => ask("doctor"),
};

let isDestroyed = false;

function update(changes: object = {}): void {
  demand(Object(changes) === changes);
  const fault = mergeSettings(changes, identityTurns);
  configure();
  if (fault) throw fault;
}

/**
 * Runs a method. Never throws into the page: a failure is a rejected promise and an `error` event.
 * @returns a function that unsubscribes for `on` and `once`, otherwise a promise
 */
function call(name: string, first?: unknown, second?: unknown): unknown {
  let answer: unknown;
  const result = new Promise((resolve) => {
    // Own properties only: every object has `toString` and the like.
    demand(!isDestroyed && Object.hasOwn(methods, name), "not_available");
    answer = methods[name as keyof ParleyMethods]?.(first as never, second as never);
    resolve(answer);
  }).catch(({ code = "bad_call", message }) => {
    emit("error", { code, message });
    throw codedError(code, message);
  });
  // Handled here, so that a call whose promise is dropped logs no unhandled rejection on the page.
  result.catch(() => undefined);
  return typeof answer === "function" ? answer : result;
}

/** Shows the launcher of the chat that `tag` names, installs `window.Parley` and executes the queued calls. */
export function install(tag: HTMLScriptElement, version: string): void {
  let queue: ArrayLike<unknown>[] | undefined;
  mergeSettings(tag.dataset);
  // A link to a careless page may have added these to every object: then nobody knows who wrote them.
  if (!("Parley" in {} || "q" in {} || "parleySettings" in {})) {
    queue = page.Parley?.q;
    mergeSettings(window.parleySettings);
  }
  rememberInitial();
  startPanel(new URL(tag.src).origin, () => call("toggle"));
  for (const name in methods) call[name as never] = call.bind(null, name) as never;
  Object.defineProperties(call, {
    isOpen: { get: () => isOpen },
    unreadCount: { get: () => frameReport.count },
    connection: { get: () => frameReport.status },
  });
  // A page may keep a reference to the stub, which pushes its calls to `q` for as long as the page lives.
  Object.assign(call, { version, ready: Promise.resolve(), q: { push: replay } });
  page.Parley = call;
  queue?.forEach?.(replay);
}

function replay(args: ArrayLike<unknown>): void {
  call.apply(null, args as unknown as [string]);
}
