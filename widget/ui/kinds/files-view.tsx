import { useEffect } from "preact/hooks";
import type { Attachment } from "../../../shared/attachment.ts";
import { usePanel } from "../panel-context.ts";
import { PlainText } from "../rich-text.tsx";

/** The files of a message: their names until the part that draws files has loaded. */
export function Files({ files, author }: { files: readonly Attachment[]; author: string }) {
  const { extras } = usePanel();
  useEffect(extras.want, [extras]);
  const more = extras.it.value;
  if (more) return <more.MessageFiles files={files} author={author} />;
  return <PlainText text={files.map(({ name }) => name).join("\n")} />;
}
