import { Failure } from "../../shared/errors.ts";

/** Files of one conversation that may arrive at once. */
const MAX_AT_ONCE = 10;
/** Bytes after which the room is looked at again. */
const STEP_BYTES = 1024 * 1024;

export type ComingFiles = ReturnType<typeof createComingFiles>;

/**
 * Files that arrive and have no row yet, so that many at once don't take more than there is for all (ATT6). Each process
 * counts its own: this refuses early, and the transaction that stores the row has the last say.
 */
export function createComingFiles() {
  const files = new Map<string, number>();
  const bytes = new Map<string, number>();
  return {
    /**
     * Takes a place for one file; `check` is given the bytes of all that arrive in this workspace, and rejects where they
     * are too many.
     *
     * @throws Failure `rate_limited`, what `check` throws
     */
    async begin(workspaceId: string, conversationId: string, check: (bytes: number) => Promise<void>) {
      const requirePlace = () => {
        if ((files.get(conversationId) ?? 0) < MAX_AT_ONCE) return;
        throw new Failure("rate_limited", { retryAfter: 10 });
      };
      requirePlace();
      await check(bytes.get(workspaceId) ?? 0);
      requirePlace();
      change(files, conversationId, 1);
      let own = 0;
      let unchecked = 0;
      return {
        add(count: number): Promise<void> | undefined {
          own += count;
          unchecked += count;
          change(bytes, workspaceId, count);
          if (unchecked < STEP_BYTES) return undefined;
          unchecked = 0;
          return check(bytes.get(workspaceId) ?? 0);
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
