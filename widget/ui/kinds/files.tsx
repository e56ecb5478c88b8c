import { useEffect } from "preact/hooks";
import type { Attachment } from "../../../shared/attachment.ts";
import type { Part } from "../../app/part.ts";
import type { Texts } from "../../app/texts.ts";
import type { ExtrasPart } from "../extras.ts";
import { PlainText } from "../rich-text.tsx";

interface FilesProps {
  readonly files: readonly Attachment[];
  readonly texts: Texts;
  /** Draws files. */
  readonly extras: Part<ExtrasPart>;
}

/** The files of a message: their names until the part that draws files has loaded. */
export function Files({ files, texts, extras }: FilesProps) {
  useEffect(extras.want, [extras]);
  const more = extras.it.value;
  if (more) return <more.MessageFiles files={files} texts={texts} />;
  return <PlainText text={files.map(({ name }) => name).join("\n")} />;
}
