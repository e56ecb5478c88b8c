/** An error with a code that a site can branch on; `widget/parley.d.ts` says what each means. */
export function codedError(code: string, message = code): Error {
  return Object.assign(new Error(message), { code });
}

/** @throws coded, unless `isGood` */
export function demand(isGood: unknown, code = "bad_call"): asserts isGood {
  if (!isGood) throw codedError(code);
}
