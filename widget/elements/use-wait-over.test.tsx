import { render } from "preact";
import { act } from "preact/test-utils";
import { expect, test } from "vitest";
import { type Reason, useWaitOver } from "./use-wait-over.ts";

test("OUT1 a refusal that is shown again waits only for the rest of its time", async () => {
  const waits: number[] = [];
  let time = 1_000;
  const environment = {
    now: () => time,
    setTimer: (_run: () => void, ms: number) => {
      waits.push(ms);
      return () => undefined;
    },
  };
  const reason: Reason = { code: "rate_limited", retryAfter: 60 };
  const Shown = () => <>{`${useWaitOver(reason, environment)}`}</>;
  const place = document.createElement("div");
  await act(() => render(<Shown />, place));
  await act(() => render(null, place));
  time += 45_000;
  await act(() => render(<Shown />, place));
  expect(waits).toEqual([60_000, 15_000]);
});
