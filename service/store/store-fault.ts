/**
 * The store can't be used, for a reason that an operator can fix. `/readyz` shows `message`, so it contains no path.
 */
export class StoreFault extends Error {
  override readonly name: string = "StoreFault";
}
