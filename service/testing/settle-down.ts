/** Runs pending work until it waits for the clock. */
export async function settleDown(): Promise<void> {
  for (let turns = 0; turns < 50; turns += 1) await new Promise(setImmediate);
}
