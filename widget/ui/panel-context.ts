import type { Chat } from "../app/chat.ts";
import type { Environment } from "../app/environment.ts";
import type { Part } from "../app/part.ts";
import type { Texts } from "../app/texts.ts";
import type { Announcer } from "../client/announcer.ts";
import { createRequiredContext } from "../elements/required-context.ts";
import type { ExtrasPart } from "./extras.ts";

/** The context of every component of the panel. `Panel` provides it. */
export interface PanelContext {
  readonly chat: Chat;
  readonly texts: Texts;
  /** A language tag, for dates. */
  readonly locale: string;
  readonly environment: Pick<Environment, "now" | "setTimer" | "tabStorage">;
  readonly announcer: Announcer;
  /** Files, rating, transcript and erasing; loaded on the first use of one of them. */
  readonly extras: Part<ExtrasPart>;
  /** Moves the focus to the text box. */
  readonly focusComposer: () => void;
}

export const PanelContext = createRequiredContext<PanelContext>();
export const usePanel = PanelContext.use;
