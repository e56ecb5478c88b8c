import type { ReadonlySignal } from "@preact/signals";
import type { Feedback } from "../../app/feedback.ts";
import type { LiveAnswer } from "../../app/log-state.ts";
import type { Calendar } from "../../client/calendar.ts";
import { createRequiredContext } from "../../elements/required-context.ts";
import type { Choosing } from "./choosing.ts";

/** The context of the log's rows besides `PanelContext`. The signals update single bubbles. */
export interface LogContext {
  readonly calendar: Calendar;
  /** Changes once a minute. */
  readonly minute: ReadonlySignal<number>;
  /** The answer that is being written. */
  readonly answer: ReadonlySignal<LiveAnswer | null>;
  /** The highest seq that a person has read, as far as the service says. */
  readonly seenUpTo: ReadonlySignal<number>;
  readonly choosing: Choosing;
  readonly feedback: Feedback;
}

export const LogContext = createRequiredContext<LogContext>();
export const useLog = LogContext.use;
