import type { Parley, ParleyEventType, ParleyHandler, ParleyMethods } from "../../widget/parley.d.ts";

/** The calls of `Parley`, also while the script is loading: they wait, and run in order. */
export interface Chat extends Omit<ParleyMethods, "boot"> {
  /** Resolves when the script has loaded; rejects with the code `unreachable` if it can't be. */
  readonly ready: Promise<Parley>;
}

type Call = Exclude<keyof ParleyMethods, "boot" | "on" | "once" | "off">;

/** The calls of a chat that is still loading. A rejection that the page ignores is not reported as unhandled. */
export function queueCalls(ready: Promise<Parley>): Chat {
  const quietly = <T>(promise: Promise<T>): Promise<T> => {
    promise.catch(() => undefined);
    return promise;
  };
  const later =
    <Name extends Call>(name: Name) =>
    (...args: Parameters<ParleyMethods[Name]>): Promise<void> =>
      quietly(ready.then((parley) => parley(name, ...args)));
  const listen =
    (name: "on" | "once") =>
    <Type extends ParleyEventType>(type: Type, handler: ParleyHandler<Type>): (() => void) => {
      let isOver = false;
      const stop = quietly(ready.then((parley) => (isOver ? undefined : parley(name, type, handler))));
      return () => {
        isOver = true;
        void quietly(stop.then((unsubscribe) => unsubscribe?.()));
      };
    };
  return {
    ready: quietly(ready),
    update: later("update"),
    setLocale: later("setLocale"),
    open: later("open"),
    close: later("close"),
    toggle: later("toggle"),
    show: later("show"),
    hide: later("hide"),
    newMessage: later("newMessage"),
    requestHuman: later("requestHuman"),
    endConversation: later("endConversation"),
    logout: later("logout"),
    identify: later("identify"),
    setTraits: later("setTraits"),
    doctor: later("doctor"),
    destroy: later("destroy"),
    on: listen("on"),
    once: listen("once"),
    off: (type, handler) => void quietly(ready.then((parley) => parley.off(type, handler))),
  };
}
