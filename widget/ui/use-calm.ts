import { type ReadonlySignal, useSignal, useSignalEffect } from "@preact/signals";
import type { Connection } from "../app/connection.ts";
import type { Environment } from "../app/environment.ts";

/** A state that is over sooner is not worth a word. */
const CALM_MS = 400;

/** How the panel stands, as a person is told: good news at once, all else when it has lasted. */
export function useCalm(
  connection: ReadonlySignal<Connection>,
  { setTimer }: Pick<Environment, "setTimer">,
): Connection {
  const shown = useSignal(connection.peek());
  useSignalEffect(() => {
    const { value } = connection;
    const show = () => {
      shown.value = value;
    };
    if (value !== "idle" && value !== "live") return setTimer(show, CALM_MS);
    show();
    return undefined;
  });
  return shown.value;
}
