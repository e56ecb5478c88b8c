import type { Chat } from "../chat.ts";
import { settle } from "./manual-time.ts";
import { createScriptedBff } from "./scripted-bff.ts";
import { createMapStorage, startChat } from "./start-chat.ts";

export const bodies = (chat: Chat) => chat.conversation.log.value.messages.map(({ body }) => body);
/** The unconfirmed messages, and their states. */
export const waiting = (chat: Chat) =>
  chat.conversation.log.value.pending.map(({ body, status }) => `${body}: ${status}`);

/** Like `fetch` when nothing answers. */
export const fail = () => Promise.reject(new TypeError("Failed to fetch"));
export const times = (many: number) => Array.from({ length: many }, () => fail);

/** A panel whose network can be disconnected. */
export async function startNetwork(more: Parameters<typeof startChat>[2] = {}) {
  const bff = createScriptedBff();
  const network = { isThere: true };
  const fetch: typeof bff.fetch = (path, init) => (network.isThere ? bff.fetch(path, init) : fail());
  const started = startChat(bff, createMapStorage(), { fetch, isOnline: () => network.isThere, ...more });
  started.chat.open();
  started.chat.outbox.send("Hello");
  await settle();
  const cut = async () => {
    network.isThere = false;
    started.chat.goOffline();
    await settle();
  };
  const mend = async () => {
    network.isThere = true;
    started.chat.wake();
    await settle();
  };
  return { ...started, network, cut, mend };
}
