import type { Chat } from "../app/chat.ts";
import { usePanel } from "./panel-context.ts";

/**
 * Returns the files of a paste or a drop; an empty list while they are still dragged. Undefined without files, and with
 * text beside them, because then the customer means the text.
 */
export function filesOf(event: ClipboardEvent | DragEvent): FileList | undefined {
  const given = "clipboardData" in event ? event.clipboardData : event.dataTransfer;
  const types = given?.types ?? [];
  return types.includes("Files") && !types.includes("text/plain") ? given?.files : undefined;
}

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
