declare global {
  interface Window {
    /** The traces of scripts on the page so far. Two snapshots are equal if no trace was added in between. */
    pictureOfPage: () => Record<string, unknown>;
  }
}

/**
 * Records, from before the page's first script, what is registered and not yet removed: listeners, timers, observers.
 * Runs in the page, so it can't use anything from this file.
 */
export function recordGuest(): void {
  const listeners = new Map<string, number>();
  const count = (key: string, by: number) => listeners.set(key, (listeners.get(key) ?? 0) + by);
  type Listen = (this: EventTarget, ...given: Parameters<EventTarget["addEventListener"]>) => void;
  const addEventListener = Reflect.get(EventTarget.prototype, "addEventListener") as Listen;
  const removeEventListener = Reflect.get(EventTarget.prototype, "removeEventListener") as Listen;
  const live = new WeakMap<EventTarget, Map<unknown, Set<string>>>();
  const nameOf = (target: EventTarget) => target.constructor.name;
  const setOf = (target: EventTarget, handler: unknown) => {
    const handlers = live.get(target) ?? new Map<unknown, Set<string>>();
    live.set(target, handlers);
    const types = handlers.get(handler) ?? new Set();
    handlers.set(handler, types);
    return types;
  };
  EventTarget.prototype.addEventListener = function (type, handler, options) {
    const types = setOf(this, handler);
    if (!types.has(type)) {
      types.add(type);
      count(`${nameOf(this)} ${type}`, 1);
      const signal = typeof options === "object" ? options.signal : undefined;
      const gone = () => {
        if (types.delete(type)) count(`${nameOf(this)} ${type}`, -1);
      };
      if (signal) addEventListener.call(signal, "abort", gone);
    }
    addEventListener.call(this, type, handler, options);
  };
  EventTarget.prototype.removeEventListener = function (type, handler, options) {
    if (setOf(this, handler).delete(type)) count(`${nameOf(this)} ${type}`, -1);
    removeEventListener.call(this, type, handler, options);
  };

  const timers = new Set<number>();
  type Start = (run: () => void, ms?: number) => number;
  const start = Reflect.get(window, "setTimeout") as Start;
  const repeat = Reflect.get(window, "setInterval") as Start;
  const stop = Reflect.get(window, "clearTimeout") as (id: unknown) => void;
  window.setTimeout = ((run: () => void, ms?: number) => {
    const id = start(() => {
      timers.delete(id);
      run();
    }, ms);
    timers.add(id);
    return id;
  }) as typeof window.setTimeout;
  window.setInterval = ((run: () => void, ms?: number) => {
    const id = repeat(run, ms);
    timers.add(id);
    return id;
  }) as typeof window.setInterval;
  window.clearTimeout = window.clearInterval = (id) => {
    timers.delete(Number(id));
    stop(id);
  };

  const observers = new Set<MutationObserver>();
  const observe = Reflect.get(MutationObserver.prototype, "observe") as (
    this: MutationObserver,
    target: Node,
    options?: MutationObserverInit,
  ) => void;
  const disconnect = Reflect.get(MutationObserver.prototype, "disconnect") as (
    this: MutationObserver,
  ) => void;
  MutationObserver.prototype.observe = function (target, options) {
    observers.add(this);
    observe.call(this, target, options);
  };
  MutationObserver.prototype.disconnect = function () {
    observers.delete(this);
    disconnect.call(this);
  };

  window.pictureOfPage = () => ({
    globals: Object.getOwnPropertyNames(window)
      .filter((name) => !/^\d+$/.test(name))
      .sort(),
    handlers: Object.getOwnPropertyNames(window).filter(
      (name) => name.startsWith("on") && Reflect.get(window, name),
    ),
    listeners: Object.fromEntries([...listeners].filter(([, left]) => left !== 0)),
    timers: timers.size,
    observers: observers.size,
    frames: window.length,
    html: document.documentElement.outerHTML,
    styles: [document.styleSheets.length, document.adoptedStyleSheets.length],
    storage: [localStorage.length, sessionStorage.length, document.cookie],
    history: history.length,
  });
}
