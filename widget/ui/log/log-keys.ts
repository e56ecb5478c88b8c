/** Every message of the log, in order. */
const MESSAGES = '[role="article"]';
const CONTROLS = "a[href], button, [tabindex='0']";

/**
 * The keys of the log, which is one Tab stop. Arrows, Home and End move between messages, Enter moves to a message's own
 * links and buttons, Escape moves back to the text box. Page keys scroll, as everywhere.
 */
export function onLogKey(event: KeyboardEvent, leave: () => void): void {
  const log = event.currentTarget;
  if (!(log instanceof HTMLElement) || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey)
    return;
  const target = event.target instanceof Element ? event.target : log;
  const current = target.closest<HTMLElement>(MESSAGES);
  if (event.key === "Escape" && current) {
    event.preventDefault();
    leave();
  } else if (event.key === "Enter" && target === current) {
    event.preventDefault();
    current.querySelector<HTMLElement>(CONTROLS)?.focus();
  } else {
    const next = nextOf([...log.querySelectorAll<HTMLElement>(MESSAGES)], current, event.key, log);
    if (!next) return;
    event.preventDefault();
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest" });
  }
}

function nextOf(
  messages: readonly HTMLElement[],
  current: HTMLElement | null,
  key: string,
  log: HTMLElement,
): HTMLElement | undefined {
  const at = current ? messages.indexOf(current) : -1;
  switch (key) {
    case "Home":
      return messages[0];
    case "End":
      return messages.at(-1);
    case "ArrowUp":
      return current ? messages[at - 1] : messages.at(-1);
    case "ArrowDown":
      return current ? messages[at + 1] : firstInView(messages, log);
    default:
      return undefined;
  }
}

function firstInView(messages: readonly HTMLElement[], log: HTMLElement): HTMLElement | undefined {
  const top = log.getBoundingClientRect().top;
  return messages.find((message) => message.getBoundingClientRect().bottom > top) ?? messages[0];
}
