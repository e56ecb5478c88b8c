import { Failure } from "../../shared/errors.ts";

/** How many files of one conversation may be uploaded concurrently. */
export const MAX_AT_ONCE = 10;
/** The space is checked again after this many bytes. */
const STEP_BYTES = 1024 * 1024;

export type ComingFiles = ReturnType<typeof createComingFiles>;

/**
 * Files that are being uploaded and have no row yet, so that concurrent uploads don't exceed the limit together (ATT6).
 * Each process counts its own: this refuses early, and the transaction that stores the row decides.
 */
export function createComingFiles() {
  const files = new Map<string, number>();
  const bytes = new Map<string, number>();
  return {
    /**
     * Takes a place for one file. `check` gets the number of bytes of all uploads of this workspace, and rejects when
     * they are too many.
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
