/**
 * Wraps the listener of a button that appears where the launcher was: the second click of a double click was meant for
 * the launcher, so it is ignored.
 */
export function once(run: () => void): (event: MouseEvent) => void {
  return (event) => {
    if (event.detail < 2) run();
  };
}
