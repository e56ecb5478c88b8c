import type { Means } from "./alerts-model.ts";

/** Held by the window that the person looks at. */
const LOOKED_AT = "parley.desk.looked-at";
/** How much later another window may learn the same news, after a broken connection. */
const CLAIM_MS = 60_000;

/**
 * Shares news among the desk's windows of one browser by locks, which need a secure context. Without them each window calls
 * for itself.
 */
export function createWindowClaims(window: Window) {
  const { document, navigator } = window;
  const locks = "locks" in navigator ? navigator.locks : undefined;
  if (!locks) return async () => true;
  let leave: (() => void) | undefined;
  const look = () => {
    const isHere = document.visibilityState === "visible" && document.hasFocus();
    if (!isHere) {
      leave?.();
      leave = undefined;
    } else if (!leave) {
      const here = new Promise<void>((resolve) => {
        leave = resolve;
      });
      // A refusal leaves each window to call for itself.
      locks.request(LOOKED_AT, { mode: "shared" }, () => here).catch(() => undefined);
    }
  };
  for (const type of ["focus", "blur"]) window.addEventListener(type, look);
  document.addEventListener("visibilitychange", look);
  look();

  const isLookedAt = async () => {
    const { held = [] } = await locks.query();
    return held.some(({ name }) => name === LOOKED_AT);
  };
  const take = (name: string) =>
    new Promise<boolean>((resolve, reject) => {
      const hold = (lock: Lock | null) => {
        resolve(lock !== null);
        return lock && new Promise((release) => window.setTimeout(release, CLAIM_MS));
      };
      locks.request(name, { ifAvailable: true }, hold).catch(reject);
    });
  return async (means: Means, id: string, isHere: boolean): Promise<boolean> => {
    // A window that nobody has pressed in makes no sound, so it takes none from another one.
    if (means === "sound" && !navigator.userActivation.hasBeenActive) return true;
    try {
      return (isHere || !(await isLookedAt())) && (await take(`parley.desk.${means}.${id}`));
    } catch {
      // Twice is better than not at all.
      return true;
    }
  };
}
