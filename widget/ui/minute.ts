import { type ReadonlySignal, signal } from "@preact/signals";
import type { Environment } from "../app/environment.ts";

const MINUTE_MS = 60_000;

/** Changes once a minute. The timer runs only while something reads the signal. */
export function createMinute({ setTimer }: Pick<Environment, "setTimer">): ReadonlySignal<number> {
  let stop: (() => void) | undefined;
  const wait = () => {
    stop = setTimer(() => {
      wait();
      minute.value += 1;
    }, MINUTE_MS);
  };
  const minute = signal(0, {
    watched: wait,
    unwatched: () => {
      stop?.();
      stop = undefined;
    },
  });
  return minute;
}
