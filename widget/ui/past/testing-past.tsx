import { computed } from "@preact/signals";
import { act } from "preact/test-utils";
import type { SessionState } from "../../../shared/api/session.ts";
import { createExtrasClient } from "../../app/extras-client.ts";
import { createPastClient } from "../../app/past-client.ts";
import { PastModel } from "../../app/past-model.ts";
import { StoredFilesModel } from "../../app/stored-files.ts";
import { AT, createScriptedBff, type FAULTS } from "../../app/testing/scripted-bff.ts";
import { startChat } from "../../app/testing/start-chat.ts";
import { extrasOf, startPanel } from "../testing-panel.tsx";
import { PastView } from "./past-view.tsx";

export const LIST = "GET /api/conversations";
export const MESSAGES = "GET /api/conversations/messages";

export type Answerer = (typeof FAULTS)[string];

export const one = (reference: string, more: object = {}) => ({
  reference,
  isCurrent: false,
  status: "ended",
  startedAt: AT,
  firstWords: `Words of ${reference}`,
  answeredBy: { role: "human", name: "Maria" },
  ended: { at: AT, by: "customer" },
  ...more,
});
export const said = (seq: number, body: string) => ({ id: `m${seq}`, seq, role: "agent", body, at: AT });

/** The panel with the list open, over a BFF that answers by `list` and `messages`. */
export async function openPast(
  list: Answerer,
  messages = list,
  capabilities: SessionState["capabilities"] = [],
) {
  const bff = createScriptedBff();
  bff.state.capabilities = [...bff.state.capabilities, "history", ...capabilities];
  bff.script(LIST, ...Array.from({ length: 4 }, () => list));
  bff.script(MESSAGES, ...Array.from({ length: 4 }, () => messages));
  const started = startChat(bff);
  const { chat, environment } = started;
  const saved: string[] = [];
  const past = new PastModel({ client: createPastClient(chat.client), chat, environment });
  const stored = new StoredFilesModel({
    chat,
    client: createExtrasClient(bff, chat.client, () => Promise.reject(new Error("no upload"))),
    past: computed(() => past.chosen.value?.reference),
    addresses: URL,
    save: (file, name) => void saved.push(`${name} of ${file.size}`),
  });
  const extras = extrasOf({ openPast: past.open, Foot: () => <PastView past={past} stored={stored} /> });
  const panel = startPanel({}, started, undefined, {}, extras);
  await panel.open();
  await act(() => past.open());
  await panel.rest();
  const dialog = () => panel.root.querySelector("dialog");
  const text = () => (dialog()?.textContent ?? "").replace(/\s+/g, " ");
  const press = async (words: string) => {
    const button = [...(dialog()?.querySelectorAll("button") ?? [])].find((each) =>
      each.textContent?.includes(words),
    );
    if (!button) throw new Error(`no button ${words} in ${text()}`);
    await act(() => button.click());
    await panel.rest();
  };
  return { bff, panel, past, dialog, text, press, saved };
}
