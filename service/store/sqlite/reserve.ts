import { closeSync, existsSync, fsyncSync, openSync, rmSync, statSync, writeSync } from "node:fs";

/** Room on the disk that is kept back: a full disk must not keep anybody from erasing what is there. */
export interface Reserve {
  /** Whether it has its room now. */
  readonly isHeld: boolean;
  /** Takes the room; false where there is none. */
  fill(): boolean;
  /** Gives the room back to the disk; false where there was none. */
  release(): boolean;
}

const BLOCK_BYTES = 64 * 1024;

/** A reserve in a file of `bytes`, written for real: a file with holes would keep nothing back. */
export function createReserve(path: string, bytes: number): Reserve {
  const isHeld = () => existsSync(path) && statSync(path).size >= bytes;
  return {
    get isHeld() {
      return isHeld();
    },
    fill() {
      if (isHeld()) return true;
      try {
        write(path, bytes);
        return true;
      } catch {
        // No room is an answer here. A piece of it would only take the room that the store could use.
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
