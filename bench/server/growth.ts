import { BENCH_ENV, openDoor, startCustomers } from "./customers.ts";
import { startProgram } from "./program.ts";

const MB = 1024 * 1024;

export interface Growth {
  readonly beforeMb: number;
  readonly afterMb: number;
}

/** Memory of the whole product in one process while `count` customers each start a conversation. */
export async function measureGrowth(count: number): Promise<Growth> {
  const product = await startProgram("bff/main.ts", { env: BENCH_ENV, path: "/readyz" });
  const door = openDoor(product.url, 16);
  try {
    // The first customers pay for what all share: compiled code, prepared statements, the store's page cache.
    await startCustomers(door, 500);
    const beforeMb = product.memoryBytes() / MB;
    await startCustomers(door, count);
    return { beforeMb, afterMb: product.memoryBytes() / MB };
  } finally {
    await door.close();
    await product.stop();
  }
}
