import { readLimits } from "../gate/limits.ts";

const most: [string, string][] = [];
readLimits({
  integer: (name, { max }) => {
    most.push([name, String(max)]);
    return max;
  },
});

/** The variable of every limit at its maximum: for tests and measurements that are not about limits. */
export const WIDE_LIMITS: Readonly<Record<string, string>> = Object.fromEntries(most);
