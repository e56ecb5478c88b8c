import { readFileSync } from "node:fs";

/**
 * Loaded before a program's own main: on SIGUSR2 its wall clock jumps by the milliseconds in the file CLOCK_SHIFT_FILE.
 * Timers continue as they do when a machine's clock is set.
 */
const path = process.env["CLOCK_SHIFT_FILE"] ?? "";
const RealDate = Date;
let shiftMs = 0;

class ShiftedDate extends RealDate {
  constructor(...args: [] | [number | string | Date]) {
    if (args.length === 0) super(RealDate.now() + shiftMs);
    else super(...args);
  }
  static override now(): number {
    return RealDate.now() + shiftMs;
  }
}
globalThis.Date = ShiftedDate as DateConstructor;

const read = () => {
  shiftMs = Number(readFileSync(path, "utf8"));
};
read();
process.on("SIGUSR2", read);
