import fc from "fast-check";
import type { Browser } from "./model-browser.ts";
import { closeTab, commandOf, type Model, oneRestart, oneTabLess, type Step, secondTab } from "./step.ts";

const FREEZE_MS = 300;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * After each step: no screen shows what belongs to somebody else or to a person who has signed out, and nothing twice.
 */
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

const NEVER_MIND = () => undefined;
const restart = (
  name: string,
  signal: NodeJS.Signals,
  programs: readonly ("bff" | "service")[],
): Step<Browser> => ({
  name,
  ...oneRestart,
  async act({ world }, at) {
    const program = world[programs[at % programs.length] ?? "bff"];
    await program.end(signal);
    await program.start();
  },
});

const OFTEN: readonly Step<Browser>[] = [
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
  secondTab,
  closeTab,
  {
    name: "kill tab",
    ...oneTabLess,
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
  { name: "hand-off", act: ({ tabs }, at) => void tabs[at]?.chat.conversation.requestHuman("please") },
  { name: "human reply", act: ({ replyAsHuman }, at) => replyAsHuman(at) },
];
const SELDOM: readonly Step<Browser>[] = [
  { name: "logout", act: ({ logout }, at) => logout(at) },
  restart("restart", "SIGTERM", ["bff", "service"]),
  restart("kill", "SIGKILL", ["bff", "service"]),
];

/** Steps of a run; the agent's replies arrive by themselves. `most` is the maximum; `replayPath` replays a failure. */
export function commandsOf(
  most: number,
  replayPath: string | undefined,
): fc.Arbitrary<Iterable<fc.AsyncCommand<Model, Browser>>> {
  const often = OFTEN.map((step) => fc.nat(11).map((choice) => commandOf(step, choice, look)));
  const seldom = fc
    .tuple(fc.nat(9), fc.nat(11))
    .map(([which, choice]) =>
      commandOf(SELDOM[which] ?? { name: "wait", act: () => pause(20) }, choice, look),
    );
  return fc.commands([...often, seldom], {
    maxCommands: most,
    size: "max",
    ...(replayPath ? { replayPath } : {}),
  });
}
