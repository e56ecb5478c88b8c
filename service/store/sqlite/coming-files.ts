import { Failure } from "../../../shared/errors.ts";

/** Files that one conversation may have on their way at once. */
const MAX_AT_ONCE = 10;
/** How many more bytes come before it is looked again whether there is room. */
const STEP_BYTES = 1024 * 1024;

export type ComingFiles = ReturnType<typeof createComingFiles>;

/** Files on their way to the shelf that have no row yet: many at once must not take more than there is for all (ATT6). */
export function createComingFiles() {
  const files = new Map<string, number>();
  const bytes = new Map<string, number>();
  return {
    /**
     * Takes a place for one file; `check` is given the bytes of all that come to this workspace, and throws where they are
     * too many.
     *
     * @throws Failure `rate_limited`, what `check` throws
     */
    begin(workspaceId: string, conversationId: string, check: (bytes: number) => void) {
      if ((files.get(conversationId) ?? 0) >= MAX_AT_ONCE)
        throw new Failure("rate_limited", { retryAfter: 10 });
      check(bytes.get(workspaceId) ?? 0);
      change(files, conversationId, 1);
      let own = 0;
      let unchecked = 0;
      return {
        add(count: number): void {
          own += count;
          unchecked += count;
          change(bytes, workspaceId, count);
          if (unchecked < STEP_BYTES) return;
          unchecked = 0;
          check(bytes.get(workspaceId) ?? 0);
        },
        end(): void {
          change(files, conversationId, -1);
          change(bytes, workspaceId, -own);
        },
      };
    },
  };
}

function change(counts: Map<string, number>, key: string, by: number): void {
  const next = (counts.get(key) ?? 0) + by;
  if (next > 0) counts.set(key, next);
  else counts.delete(key);
}
