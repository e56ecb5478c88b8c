import { type ReadonlySignal, useSignal, useSignalEffect } from "@preact/signals";
import type { Connection } from "../app/connection.ts";
import type { Environment } from "../app/environment.ts";

/** A state that ends sooner is never shown. */
const CALM_MS = 400;

/** The status to show: an improvement at once, anything else only after it has lasted. */
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
