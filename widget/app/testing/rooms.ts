import type { Environment } from "../environment.ts";

interface Asking {
  readonly tab: Tab;
  readonly onLead: () => void;
  readonly onLost: () => void;
}

interface Tab {
  isFrozen: boolean;
  isGone: boolean;
}

/** One browser's channels and locks, as its tabs see them: each tab can be frozen, killed, or cut off from messages. */
export function createRooms() {
  const ears = new Map<string, Map<Tab, (said: unknown) => void>>();
  const waiting = new Map<string, Asking[]>();
  const holders = new Map<string, Asking>();
  const held: (() => void)[] = [];
  let spoil: (said: string) => string | undefined = (said) => said;

  const grant = (name: string) => {
    const next = waiting.get(name)?.shift();
    if (!next) return;
    holders.set(name, next);
    queueMicrotask(next.onLead);
  };
  const drop = (name: string, tab: Tab) => {
    waiting.set(
      name,
      (waiting.get(name) ?? []).filter((one) => one.tab !== tab),
    );
    if (holders.get(name)?.tab !== tab) return;
    holders.delete(name);
    grant(name);
  };
  const whenThawed = (tab: Tab, run: () => void) => {
    if (tab.isGone) return;
    if (tab.isFrozen) held.push(() => whenThawed(tab, run));
    else run();
  };

  return {
    /** Messages pass through here; undefined drops one. */
    spoilWith(next: typeof spoil) {
      spoil = next;
    },
    /** Sends a message that is not from one of our tabs. */
    say(name: string, said: unknown) {
      for (const hear of ears.get(name)?.values() ?? []) hear(said);
    },
    names: () => [...ears.keys()],
    enter(setTimer: Environment["setTimer"]) {
      const tab: Tab = { isFrozen: false, isGone: false };
      const joinRoom: NonNullable<Environment["joinRoom"]> = (name, hear) => {
        const room = ears.get(name) ?? new Map<Tab, (said: unknown) => void>();
        ears.set(name, room.set(tab, hear));
        return {
          post(said) {
            const passed = spoil(said);
            if (tab.isFrozen || tab.isGone || passed === undefined) return;
            for (const [other, heard] of room)
              if (other !== tab) queueMicrotask(() => whenThawed(other, () => heard(passed)));
          },
          lead(isTaken, onLead, onLost) {
            waiting.set(
              name,
              (waiting.get(name) ?? []).filter((one) => one.tab !== tab),
            );
            const before = holders.get(name);
            const asking = {
              tab,
              onLead: () => whenThawed(tab, onLead),
              onLost: () => whenThawed(tab, onLost),
            };
            const queue = waiting.get(name) ?? [];
            waiting.set(name, isTaken ? [asking, ...queue] : [...queue, asking]);
            if (before && !isTaken) return;
            grant(name);
            if (before) queueMicrotask(before.onLost);
          },
          leave() {
            room.delete(tab);
            drop(name, tab);
          },
        };
      };
      return {
        more: {
          joinRoom,
          setTimer: (run: () => void, ms: number) => setTimer(() => whenThawed(tab, run), ms),
        },
        freeze() {
          tab.isFrozen = true;
        },
        thaw() {
          tab.isFrozen = false;
          for (const run of held.splice(0)) run();
        },
        /** The browser takes the tab away; nothing in it runs any more. */
        kill() {
          tab.isGone = true;
          for (const [name, room] of ears) {
            room.delete(tab);
            drop(name, tab);
          }
        },
      };
    },
  };
}
