/**
 * What was pasted, or is dragged over, of files; while they are still dragged the list is empty. Undefined where there are
 * none, and where text came along: then the text is meant.
 */
export function filesOf(event: ClipboardEvent | DragEvent): FileList | undefined {
  const given = "clipboardData" in event ? event.clipboardData : event.dataTransfer;
  const types = given?.types ?? [];
  return types.includes("Files") && !types.includes("text/plain") ? given?.files : undefined;
}
