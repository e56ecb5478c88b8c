import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { freePort } from "../../bff/testing/free-port.ts";

/** WebKitGTK of Debian's packages webkit2gtk-driver and xvfb. */
const DRIVER = "/usr/bin/WebKitWebDriver";
const BROWSER = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser";
/** The key under which the protocol names an element. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";
/** How the protocol names keys that are no characters. */
const KEYS = { enter: "\uE007", tab: "\uE004", escape: "\uE00C", shift: "\uE008" } as const;
type Key = keyof typeof KEYS;

const PATIENCE_MS = 60_000;

export type Found = Readonly<Record<typeof ELEMENT, string>>;

export interface Browser {
  readonly goto: (url: string) => Promise<void>;
  /** Runs `code` as the body of a function in the current frame. */
  readonly run: (code: string, ...args: unknown[]) => Promise<unknown>;
  /** Waits until `code` returns something, and returns it. @throws Error naming `code` if it never does */
  readonly until: (code: string, ...args: unknown[]) => Promise<unknown>;
  readonly lookInto: (frame: Found | null) => Promise<void>;
  /** A trusted click in the middle of the element, as a mouse does it. */
  readonly click: (element: Found) => Promise<void>;
  /** Trusted keys to whatever has the focus. */
  readonly type: (text: string) => Promise<void>;
  /** Presses keys together, such as Shift and Enter. */
  readonly press: (...keys: Key[]) => Promise<void>;
  /** Chooses a file in an `<input type="file">`. */
  readonly choose: (input: Found, path: string) => Promise<void>;
  /** Opens another tab, where the calls go from now on; the driver gives it no clicks and keys. */
  readonly openTab: () => Promise<void>;
  /** The tab that the calls go to. */
  readonly tab: () => Promise<string>;
  readonly switchTo: (tab: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

async function displayOf(screen: ChildProcess): Promise<string> {
  const [line] = (await once(screen.stdio[3] as NodeJS.ReadableStream, "data")) as [Buffer];
  return `:${line.toString().trim()}`;
}

/**
 * Starts a screen, a driver and a browser for this test (WebDriver, https://www.w3.org/TR/webdriver2/). `settings` are
 * those of the browser, `MiniBrowser --help-all` lists them.
 */
export async function startWebKit(settings: readonly string[] = []): Promise<Browser> {
  const screen = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1280x900x24"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const port = await freePort();
  const driver = spawn(DRIVER, [`--port=${port}`, "--host=127.0.0.1"], {
    env: { ...process.env, ["DISPLAY"]: await displayOf(screen) },
    stdio: "ignore",
  });
  const base = `http://127.0.0.1:${port}`;

  async function call(method: string, path: string, body?: unknown): Promise<unknown> {
    const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
    const answer = await fetch(base + path, init);
    const { value } = (await answer.json()) as { value: unknown };
    if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`);
    return value;
  }

  async function repeat<T>(attempt: () => Promise<T | undefined>, name: string): Promise<T> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const found = await attempt();
      if (found !== undefined && found !== null && found !== false) return found;
      if (Date.now() > deadline) throw new Error(`never so: ${name}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  const options = { binary: BROWSER, args: ["--automation", ...settings] };
  const alwaysMatch = { browserName: "MiniBrowser", "webkitgtk:browserOptions": options };
  await repeat(() => call("GET", "/status").catch(() => undefined), "the driver answers");
  const { sessionId } = (await call("POST", "/session", { capabilities: { alwaysMatch } })) as {
    sessionId: string;
  };
  const session = `/session/${sessionId}`;
  const run = (script: string, ...args: unknown[]) =>
    call("POST", `${session}/execute/sync`, { script, args });
  const keys = (steps: readonly { readonly type: "keyDown" | "keyUp"; readonly value: string }[]) =>
    call("POST", `${session}/actions`, { actions: [{ type: "key", id: "keyboard", actions: steps }] });
  const down = (value: string) => ({ type: "keyDown", value }) as const;
  const up = (value: string) => ({ type: "keyUp", value }) as const;
  const switchTo = (handle: string) => call("POST", `${session}/window`, { handle });
  return {
    goto: async (url) => void (await call("POST", `${session}/url`, { url })),
    run,
    until: (code, ...args) => repeat(() => run(code, ...args) as Promise<unknown>, code),
    lookInto: async (id) => void (await call("POST", `${session}/frame`, { id })),
    async click(origin) {
      const mouse = [
        { type: "pointerMove", duration: 0, origin, x: 0, y: 0 },
        { type: "pointerDown", button: 0 },
        { type: "pointerUp", button: 0 },
      ];
      await call("POST", `${session}/actions`, {
        actions: [{ type: "pointer", id: "mouse", actions: mouse }],
      });
    },
    type: async (text) => void (await keys(Array.from(text).flatMap((one) => [down(one), up(one)]))),
    async press(...names) {
      const values = names.map((name) => KEYS[name]);
      await keys([...values.map(down), ...values.toReversed().map(up)]);
    },
    choose: async (input, text) =>
      void (await call("POST", `${session}/element/${input[ELEMENT]}/value`, { text })),
    async openTab() {
      const { handle } = (await call("POST", `${session}/window/new`, { type: "tab" })) as { handle: string };
      await switchTo(handle);
    },
    tab: async () => (await call("GET", `${session}/window`)) as string,
    switchTo: async (tab) => void (await switchTo(tab)),
    async close() {
      // End the session first: a killed driver would leave its browser running.
      await call("DELETE", session).catch(() => undefined);
      driver.kill();
      screen.kill();
    },
  };
}
