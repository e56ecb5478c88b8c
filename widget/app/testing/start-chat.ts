import type { StartSession } from "../../../shared/api/session.ts";
import { Chat } from "../chat.ts";
import { type CreateConversationStream, createConversationStream } from "../conversation-stream.ts";
import type { Environment, Tabs } from "../environment.ts";
import type { PanelEvent } from "../panel-events.ts";
import { createManualTime, settle } from "./manual-time.ts";
import { createScriptedBff } from "./scripted-bff.ts";

export function createMapStorage() {
  const map = new Map<string, string>();
  return {
    map,
    getItem: (key: string) => map.get(key) ?? null,
    setItem: (key: string, value: string) => void map.set(key, value),
    removeItem: (key: string) => void map.delete(key),
  };
}

const NO_TABS: Tabs = { post: () => undefined, listen: () => undefined };

/** A model with a scripted BFF, a manual clock and an inspectable storage. */
export function startChat(
  bff = createScriptedBff(),
  storage = createMapStorage(),
  more: Partial<Environment> = {},
  loadStream: () => Promise<CreateConversationStream> = async () => createConversationStream,
  describe: () => StartSession = () => ({}),
) {
  const time = createManualTime();
  let ids = 0;
  const environment: Environment = {
    fetch: bff.fetch,
    now: time.now,
    random: () => 0.5,
    randomId: () => `key-${++ids}`,
    setTimer: time.setTimer,
    storage,
    tabStorage: createMapStorage(),
    tabs: NO_TABS,
    isOnline: () => true,
    isVisible: () => true,
    isWriting: () => false,
    ...more,
  };
  const chat = new Chat({ loadStream, describe, environment });
  const happenings: PanelEvent[] = [];
  chat.subscribe((happening) => happenings.push(happening));
  return { bff, chat, environment, time, storage, happenings, settle };
}

export const types = (happenings: readonly { type: string }[]) => happenings.map(({ type }) => type);

/** Like `startChat`, with the panel open and one message that the service has confirmed. */
export async function startConversation() {
  const started = startChat();
  started.chat.open();
  started.chat.outbox.send("Hello");
  await settle();
  return started;
}
