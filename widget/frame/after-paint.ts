/** Runs `run` after two frames, so that the change is surely painted; in a hidden page a timer does. */
export function afterPaint(run: () => void): void {
  let isDone = false;
  const finish = () => {
    if (!isDone) run();
    isDone = true;
  };
  requestAnimationFrame(() => requestAnimationFrame(finish));
  setTimeout(finish, 300);
}
