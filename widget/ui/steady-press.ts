/** Longer than the pause within a double tap, shorter than the time to read a new button and press it. */
const SECOND_PRESS_MS = 500;
/** In CSS pixels: two taps of a finger are never at exactly the same place. */
const SAME_PLACE_PX = 24;

interface Press {
  readonly control: Element | null;
  readonly x: number;
  readonly y: number;
  readonly at: number;
}

/**
 * Returns a click listener for the capture phase. It stops the second of two quick presses at one place if another
 * control has appeared there: the customer meant the first control. Clicks by keyboard or script have no place and pass.
 */
export function createSteadyPress(now: () => number): (event: MouseEvent) => void {
  let last: Press | undefined;
  return (event) => {
    if (event.detail === 0 || !(event.target instanceof Element)) return;
    const { clientX: x, clientY: y, target } = event;
    // The browser presses a label's own input after the label.
    const control = target.closest("label") ?? target.closest("a, button, input, textarea");
    const at = now();
    const isSecond =
      last && at - last.at < SECOND_PRESS_MS && Math.hypot(x - last.x, y - last.y) < SAME_PLACE_PX;
    // A control that was rendered again counts as the same one (Retry after Retry). The answer to a question does not.
    const isAgain = nameOf(control) === nameOf(last?.control) && !control?.closest("[role=alertdialog]");
    const isSame = control === last?.control || isAgain;
    if (last && isSecond && !isSame) {
      event.preventDefault();
      event.stopPropagation();
      last = { ...last, at };
    } else last = { control, x, y, at };
  };
}

function nameOf(control: Element | null | undefined): string | undefined {
  return control?.getAttribute("aria-label") ?? control?.textContent ?? undefined;
}
