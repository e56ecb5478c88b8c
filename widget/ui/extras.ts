import type { FunctionComponent } from "preact";
import type { Texts } from "../app/texts.ts";
import type { FilesProps } from "./message-files.tsx";
import type { Sound } from "./sound.ts";

export interface MenuProps {
  readonly texts: Texts;
  readonly locale: string;
  readonly sound: Sound | undefined;
  /** An item was chosen that leaves the focus where it is. */
  readonly onDone: () => void;
  readonly onErase: () => void;
}

interface TextProps {
  readonly texts: Texts;
}

/** What files, rating, transcript and erasing show, for components that must not load the part by importing it. */
export interface ExtrasPart {
  readonly erase: () => void;
  /** Above the composer: how an erasure stands, and the files of the next message. */
  readonly Foot: FunctionComponent<TextProps>;
  /** What can be done with the conversation: plain buttons, which every screen reader and finger knows. */
  readonly Menu: FunctionComponent<MenuProps>;
  readonly MessageFiles: FunctionComponent<FilesProps>;
  /** At the end of an ended conversation. */
  readonly Rating: FunctionComponent<TextProps>;
}
