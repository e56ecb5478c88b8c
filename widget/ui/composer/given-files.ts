import type { Chat } from "../../app/chat.ts";
import { filesOf } from "../../elements/transferred-files.ts";
import { usePanel } from "../panel-context.ts";

/** Takes the files that the customer chooses, pastes or drops, and loads the part that uploads them. */
export function useGivenFiles() {
  const { chat, extras } = usePanel();
  const onFiles = (list: FileList | null) => {
    if (!list?.length || !acceptsFiles(chat)) return;
    const { picked, files } = chat.composer;
    picked.value = [...picked.value, ...list];
    files.value = undefined;
    extras.want();
  };
  const onTransfer = (event: ClipboardEvent | DragEvent) => {
    const given = filesOf(event);
    if (!given) return;
    event.preventDefault();
    extras.want();
    // Files that are still dragged may be dropped elsewhere.
    if (event.type !== "dragover") onFiles(given);
  };
  return { onFiles, onTransfer };
}

function acceptsFiles({ session, identity }: Chat): boolean {
  return session.features.value.files && !identity.isChanging.value;
}
