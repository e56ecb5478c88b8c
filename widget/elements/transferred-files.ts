/**
 * Returns the files of a paste or a drop; an empty list while they are still dragged. Undefined without files, and with
 * text beside them, because then the text is meant.
 */
export function filesOf(event: ClipboardEvent | DragEvent): FileList | undefined {
  const given = "clipboardData" in event ? event.clipboardData : event.dataTransfer;
  const types = given?.types ?? [];
  return types.includes("Files") && !types.includes("text/plain") ? given?.files : undefined;
}
