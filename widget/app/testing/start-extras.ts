import type { Attachment } from "../../../shared/attachment.ts";
import type { Upload } from "../../client/xhr-upload.ts";
import { AftercareModel } from "../aftercare.ts";
import { AttachmentsModel } from "../attachments.ts";
import { createExtrasClient } from "../extras-client.ts";
import type { PanelEvent } from "../panel-events.ts";
import { StoredFilesModel } from "../stored-files.ts";
import { createTexts } from "../texts.ts";
import { settle } from "./manual-time.ts";
import { createScriptedBff, json } from "./scripted-bff.ts";
import { createMapStorage, startChat } from "./start-chat.ts";

export const PDF = new TextEncoder().encode("%PDF-1.7 and more");
export const KEPT: Attachment = { id: "att1", name: "letter.pdf", type: "application/pdf", size: PDF.length };
export const pdf = (name = "letter.pdf") => new File([PDF], name, { type: "application/pdf" });
export const keptAnswer = (attachment: Partial<Attachment> = {}) =>
  json(201, { attachment: { ...KEPT, ...attachment } });

/** The last announcement for screen readers, and whether it was assertive. */
export const lastSaid = (happenings: readonly PanelEvent[]) => {
  const last = happenings.at(-1);
  return last?.type === "said" ? [last.isUrgent, last.words(createTexts({}, "en"))] : [last?.type];
};

/** The models of the third part over a chat with one confirmed message; files go to `answers`, one each. */
export async function startExtras(...answers: (() => Response | Promise<Response>)[]) {
  const bff = createScriptedBff();
  bff.state.capabilities = [...bff.state.capabilities, "attachments", "rating", "erase"];
  const posted: string[] = [];
  const tabs = { post: (said: string) => void posted.push(said), listen: () => undefined };
  const tabStorage = createMapStorage();
  const started = startChat(bff, undefined, { tabs, tabStorage });
  const { chat } = started;
  chat.open();
  chat.outbox.send("Hello");
  await settle();
  const uploads: Parameters<Upload>[] = [];
  const upload: Upload = async (...call) => {
    uploads.push(call);
    call[1].onProgress(0.5);
    const answer = answers.shift() ?? keptAnswer;
    return answer();
  };
  const calls = createExtrasClient({ fetch: bff.fetch }, chat.client, upload);
  const revoked: string[] = [];
  const saved: string[] = [];
  let made = 0;
  const common = {
    environment: { randomId: () => `file-${++made}`, tabStorage, tabs },
    client: calls,
    chat,
    addresses: { createObjectURL: () => "blob:1", revokeObjectURL: (one: string) => void revoked.push(one) },
    save: (_: Blob, name: string) => void saved.push(name),
  };
  const stored = new StoredFilesModel(common);
  const attachments = new AttachmentsModel({ ...common, onSent: stored.take });
  const pick = async (...files: File[]) => {
    chat.composer.files.value = undefined;
    chat.composer.picked.value = files;
    await settle();
  };
  const states = () => attachments.tray.value.map(({ state }) => state.kind);
  return {
    ...started,
    attachments,
    stored,
    aftercare: new AftercareModel(common),
    pick,
    states,
    uploads,
    posted,
    saved,
    revoked,
    tabStorage,
  };
}
