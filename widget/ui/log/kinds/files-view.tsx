import type { Attachment } from "../../../../shared/attachment.ts";
import { PlainText } from "../../../elements/rich-text.tsx";
import { useExtras } from "../../use-extras.ts";

/** The files of a message: their names until the part that draws files has loaded. */
export function Files({ files, author }: { files: readonly Attachment[]; author: string }) {
  const more = useExtras(true);
  if (more) return <more.MessageFiles files={files} author={author} />;
  return <PlainText text={files.map(({ name }) => name).join("\n")} />;
}
