import { expect, test } from "vitest";
import { createAlarm } from "./alarm.ts";

test("an alarm is logged once a minute for each reason, and a new reason at once", () => {
  let now = 0;
  const logged: string[] = [];
  const sound = createAlarm({ now: () => now }, (code?: string) => void logged.push(`${now} ${code}`));
  for (now = 0; now < 61_000; now += 1000) {
    sound(now === 0 ? undefined : "WRONGPASS");
  }
  sound("WRONGPASS");
  expect(logged).toEqual(["0 undefined", "1000 WRONGPASS", "61000 WRONGPASS"]);
});
