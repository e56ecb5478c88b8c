/**
 * For a button where the launcher may just have been: the second half of a double click, which was meant for what stood
 * there before, does nothing.
 */
export function once(run: () => void): (event: MouseEvent) => void {
  return (event) => {
    if (event.detail < 2) run();
  };
}
