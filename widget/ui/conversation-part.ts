import { wordsOfAction } from "../app/action-words.ts";
import { Confirm } from "./confirm.tsx";
import { LogView } from "./log/log-view.tsx";
import { More } from "./more.tsx";
import { RequestDoubt } from "./request-doubt.tsx";
import { wordsOf } from "./rich-text-words.ts";
import type { Sound } from "./sound.ts";
import { Standing } from "./standing.tsx";
import { createSteadyPress } from "./steady-press.ts";

const components = {
  LogView,
  Confirm,
  More,
  RequestDoubt,
  Standing,
  createSteadyPress,
  wordsOf,
  wordsOfAction,
};

/** The components that render a conversation; loaded when there is one, or when the customer starts one. */
export type ConversationPart = typeof components & { readonly sound?: Sound };

export const conversationPart: ConversationPart = components;
