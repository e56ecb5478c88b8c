import { signal } from "@preact/signals";
import type { Columns } from "../columns.ts";
import { createDeskClient } from "../desk-client.ts";
import { DeskModel } from "../desk-model.ts";
import { createServiceClock } from "../service-clock.ts";
import { at } from "./samples.ts";
import { createScriptedAlerts } from "./scripted-alerts.ts";
import { createScriptedService } from "./scripted-service.ts";

/** Timers that a test runs. */
export function createTimers() {
  let timers: { run: () => void; at: number }[] = [];
  let now = 0;
  return {
    now: () => now,
    setTimer: (run: () => void, ms: number): (() => void) => {
      const timer = { run, at: now + ms };
      timers.push(timer);
      return () => {
        timers = timers.filter((each) => each !== timer);
      };
    },
    /** Moves the clock and runs due timers, in order. */
    advance(ms: number): void {
      const end = now + ms;
      for (;;) {
        const due = timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
        if (!due) break;
        now = due.at;
        timers = timers.filter((timer) => timer !== due);
        due.run();
      }
      now = end;
    },
  };
}

/** Runs everything pending in this process until `holds`; on failure, says what it waited for. */
export async function until(holds: () => boolean, what = "it holds"): Promise<void> {
  for (let turn = 0; turn < 2000; turn += 1) {
    if (holds()) return;
    await nextTurn();
  }
  throw new Error(`Waited in vain until ${what}`);
}

/** Lets everything pending run: for what must not happen. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 25; turn += 1) await nextTurn();
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** A storage of the browser, in memory. */
export function createMapStorage() {
  const map = new Map<string, string>();
  return {
    getItem: (key: string) => map.get(key) ?? null,
    setItem: (key: string, value: string) => void map.set(key, value),
    removeItem: (key: string) => void map.delete(key),
  };
}

/** A desk with a scripted service and a manual clock; after a reload, with those of the page before. */
export function createKit({ service, tabStorage } = freshTab()) {
  const timers = createTimers();
  const clipboard = {
    text: "",
    async write(text: string): Promise<void> {
      clipboard.text = text;
    },
  };
  const presence = { isPresent: false };
  const columns = signal<Columns>(3);
  const alerts = createScriptedAlerts();
  const revoked: string[] = [];
  let ids = 0;
  const clock = createServiceClock(() => Date.parse(at(10)) + timers.now());
  const desk = new DeskModel({
    client: createDeskClient({
      fetch: service.fetch,
      upload: (path, { headers, body, signal, onProgress }) => {
        onProgress(0.5);
        return service.fetch(path, { method: "POST", headers, body, signal });
      },
      timeout: () => new AbortController().signal,
      onAnswer: clock.hear,
    }),
    addresses: {
      createObjectURL: (file) => `blob:${(file as File).name}`,
      revokeObjectURL: (address) => revoked.push(address),
    },
    setTimer: timers.setTimer,
    random: () => 1,
    newId: () => {
      ids += 1;
      return `reply_${ids}`;
    },
    isPresent: () => presence.isPresent,
    columns,
    now: clock.now,
    deskUrl: "https://help.shop.example/desk",
    copy: (text) => clipboard.write(text),
    alerts: alerts.environment,
    tabStorage,
  });
  return {
    service,
    tabStorage,
    timers,
    desk,
    board: desk.board,
    clipboard,
    columns,
    presence,
    alerts,
    revoked,
  };
}

function freshTab() {
  return { service: createScriptedService(), tabStorage: createMapStorage() };
}

export type Kit = ReturnType<typeof createKit>;

/** A desk where Sam is signed in, the connection is live and the queue is read. */
export async function signedInKit(kit = createKit()): Promise<Kit> {
  await kit.desk.resume();
  await until(() => kit.board.queueReading.value === "ready" && kit.board.connection.value === "live");
  return kit;
}

/** Like `signedInKit`, with the conversation `id` open and read. */
export function openedKit(id: string): Promise<Kit> {
  return openedOn(createKit(), id);
}

/** The same on a kit whose service was changed before. */
export async function openedOn(start: Kit, id: string): Promise<Kit> {
  const kit = await signedInKit(start);
  kit.board.open(id);
  await until(() => kit.board.board.value.opened?.id === id);
  return kit;
}

/** Like `openedKit`, with the conversation taken by Sam. */
export async function takenKit(id: string): Promise<Kit> {
  const kit = await openedKit(id);
  await kit.board.take();
  await until(() => kit.board.isMine.value);
  return kit;
}
