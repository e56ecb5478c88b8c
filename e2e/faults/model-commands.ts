import fc from "fast-check";
import type { Browser } from "./model-browser.ts";

/** What a test knows without looking: which tabs there are, and how often the whole product was ended. */
export interface Model {
  tabs: number;
  restarts: number;
}

type Command = fc.AsyncCommand<Model, Browser>;

const MOST_TABS = 3;
/** Starting a process takes longer than all the rest of a run. */
const MOST_RESTARTS = 1;

const FREEZE_MS = 300;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** After each step: no screen shows what belongs to somebody else or to one who has signed out, and nothing twice. */
function look({ tabs, mayShow }: Browser): void {
  for (const tab of tabs) {
    const { name, named, screen } = tab;
    const bodies = screen().map(({ body }) => body);
    const foreign = bodies.find((body) => !mayShow(tab, body));
    if (foreign) throw new Error(`${name} shows "${foreign}" to ${named}`);
    const ids = new Set(screen().map(({ id }) => id));
    if (ids.size < bodies.length) throw new Error(`${name} shows a message twice`);
  }
}

interface Step {
  readonly name: string;
  readonly check?: (model: Readonly<Model>) => boolean;
  readonly change?: (model: Model) => void;
  readonly act: (browser: Browser, at: number, choice: number) => void | Promise<void>;
}

function command({ name, check = () => true, change = () => undefined, act }: Step, choice: number): Command {
  return {
    check: (model) => model.tabs > 0 && check(model),
    async run(model, browser) {
      await act(browser, choice % model.tabs, choice);
      change(model);
      look(browser);
    },
    toString: () => `${name}(${choice})`,
  };
}

const NEVER_MIND = () => undefined;
const restart = (name: string, signal: NodeJS.Signals, programs: readonly ("bff" | "service")[]): Step => ({
  name,
  check: ({ restarts }) => restarts < MOST_RESTARTS,
  change: (model) => {
    model.restarts += 1;
  },
  async act({ world }, at) {
    const program = world[programs[at % programs.length] ?? "bff"];
    await program.end(signal);
    await program.start();
  },
});

const OFTEN: readonly Step[] = [
  { name: "send", act: ({ tabs }, at) => void tabs[at]?.write() },
  { name: "send", act: ({ tabs }, at) => void tabs[at]?.write() },
  { name: "send", act: ({ tabs }, at) => void tabs[at]?.write() },
  { name: "send", act: ({ tabs }, at) => void tabs[at]?.write() },
  { name: "send", act: ({ tabs }, at) => void tabs[at]?.write() },
  { name: "retry", act: ({ tabs }, at) => tabs[at]?.retryAll() },
  { name: "cut", act: ({ proxy }) => proxy.closeConnections() },
  { name: "wait", act: () => pause(60) },
  {
    name: "outage",
    async act({ proxy }) {
      await proxy.down();
      setTimeout(() => void proxy.up().catch(NEVER_MIND), 80);
    },
  },
  {
    name: "reload",
    async act({ closeTab, openTab }, at) {
      await closeTab(at);
      openTab();
    },
  },
  {
    name: "second tab",
    check: ({ tabs }) => tabs < MOST_TABS,
    change: (model) => {
      model.tabs += 1;
    },
    act: ({ openTab }) => openTab(),
  },
  {
    name: "close tab",
    check: ({ tabs }) => tabs > 1,
    change: (model) => {
      model.tabs -= 1;
    },
    act: ({ closeTab }, at) => closeTab(at),
  },
  {
    name: "kill tab",
    check: ({ tabs }) => tabs > 1,
    change: (model) => {
      model.tabs -= 1;
    },
    act: ({ killTab }, at) => killTab(at),
  },
  {
    name: "freeze",
    act({ tabs }, at) {
      const tab = tabs[at];
      tab?.freeze();
      setTimeout(() => tab?.thaw(), FREEZE_MS);
    },
  },
  { name: "identify", act: ({ signIn }, at, choice) => signIn(at, choice) },
  { name: "hand-off", act: ({ tabs }, at) => void tabs[at]?.chat.requestHuman("please") },
  { name: "human reply", act: ({ replyAsHuman }, at) => replyAsHuman(at) },
];
const SELDOM: readonly Step[] = [
  { name: "logout", act: ({ logout }, at) => logout(at) },
  restart("restart", "SIGTERM", ["bff", "service"]),
  restart("kill", "SIGKILL", ["bff", "service"]),
];

/** Steps of a run; the agent's replies come by themselves. `most` is how many at most; `replayPath` replays a failure. */
export function commandsOf(most: number, replayPath: string | undefined): fc.Arbitrary<Iterable<Command>> {
  const often = OFTEN.map((step) => fc.nat(11).map((choice) => command(step, choice)));
  const seldom = fc
    .tuple(fc.nat(9), fc.nat(11))
    .map(([which, choice]) => command(SELDOM[which] ?? { name: "wait", act: () => pause(20) }, choice));
  return fc.commands([...often, seldom], {
    maxCommands: most,
    size: "max",
    ...(replayPath ? { replayPath } : {}),
  });
}
