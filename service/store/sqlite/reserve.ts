import { closeSync, existsSync, fsyncSync, openSync, rmSync, statSync, writeSync } from "node:fs";

/** Disk space held in reserve, so that erasing works on a full disk. */
export interface Reserve {
  /** Occupies the space; false if the disk is full. */
  fill(): boolean;
  /** Releases the space; false if none was occupied. */
  release(): boolean;
}

const BLOCK_BYTES = 64 * 1024;

/** A reserve in a file of `bytes`. Every block is written, because a sparse file takes no space. */
export function createReserve(path: string, bytes: number): Reserve {
  return {
    fill() {
      if (existsSync(path) && statSync(path).size >= bytes) return true;
      try {
        write(path, bytes);
        return true;
      } catch {
        // A full disk is expected here. A partial reserve would only take space from the store.
        rmSync(path, { force: true });
        return false;
      }
    },
    release() {
      const wasThere = existsSync(path);
      rmSync(path, { force: true });
      return wasThere;
    },
  };
}

function write(path: string, bytes: number): void {
  const block = Buffer.alloc(BLOCK_BYTES, 0xa5);
  const file = openSync(path, "w", 0o600);
  try {
    for (let left = bytes; left > 0; ) left -= writeSync(file, block, 0, Math.min(left, BLOCK_BYTES));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
