import type { Environment } from "../environment.ts";
import { createManualTime, settle } from "./manual-time.ts";
import { createRooms } from "./rooms.ts";
import { createScriptedBff } from "./scripted-bff.ts";
import { createMapStorage, startChat } from "./start-chat.ts";
import { createTabs } from "./start-visit.ts";

/** One browser: its storage, its channels, its locks, and one clock. */
export function startBrowser(options: { isShared?: boolean } = {}) {
  const [bff, storage, time, rooms, channel] = [
    createScriptedBff(),
    createMapStorage(),
    createManualTime(),
    createRooms(),
    createTabs(),
  ];
  let ids = 0;
  const randomId = () => `key-${++ids}`;
  const openTab = async (more: Partial<Environment> = {}) => {
    const life = rooms.enter(time.setTimer);
    const { joinRoom, setTimer } = life.more;
    const shared = options.isShared === false ? { setTimer } : { setTimer, joinRoom };
    const { chat } = startChat(bff, storage, {
      now: time.now,
      randomId,
      tabs: channel(),
      ...shared,
      ...more,
    });
    chat.open();
    await settle();
    const bodies = () => chat.conversation.log.value.messages.map(({ body }) => body);
    return { chat, bodies, ...life };
  };
  /** This many tabs of one conversation, which the first one started. */
  const openTabs = async (many: number, more: Partial<Environment> = {}) => {
    const first = await openTab(more);
    first.chat.outbox.send("Hello");
    await settle();
    const tabs = [first];
    while (tabs.length < many) tabs.push(await openTab(more));
    return tabs;
  };
  const room = () => rooms.names()[0] ?? "";
  return { bff, time, rooms, room, storage, openTab, openTabs };
}

export type Tab = Awaited<ReturnType<ReturnType<typeof startBrowser>["openTab"]>>;

export const leaders = (tabs: readonly Tab[]) => tabs.filter(({ chat }) => chat.connection.isLeading.value);
export function only(tabs: readonly Tab[]): Tab {
  const [leader, ...others] = leaders(tabs);
  if (!leader || others.length > 0) throw new Error(`${others.length + 1} tabs lead`);
  return leader;
}
export const texts = (tabs: readonly Tab[]) => tabs.map(({ bodies }) => bodies().join());
export const everywhere = (tabs: readonly Tab[], ...bodies: string[]) => tabs.map(() => bodies.join());
