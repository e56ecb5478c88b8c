import type { ReadonlySignal } from "@preact/signals";
import type { FunctionComponent } from "preact";
import type { Attachment } from "../../shared/attachment.ts";
import type { Sound } from "./sound.ts";

export interface MenuProps {
  readonly sound: Sound | undefined;
  /** Runs when an item was chosen that does not move the focus. */
  readonly onDone: () => void;
  readonly onErase: () => void;
}

export interface FilesProps {
  readonly files: readonly Attachment[];
  /** Who sent them. */
  readonly author: string;
}

/** The components of files, rating, transcript and erasing. Others use this type, so that they do not load the part. */
export interface ExtrasPart {
  readonly erase: () => void;
  /** Lists the customer's past conversations. */
  readonly openPast: () => void;
  /** Above the composer: the state of an erasure, and the files of the next message. */
  readonly Foot: FunctionComponent;
  /** The actions on the conversation: plain buttons, which every assistive technology supports. */
  readonly Menu: FunctionComponent<MenuProps>;
  readonly MessageFiles: FunctionComponent<FilesProps>;
  /** While a person is awaited, or nobody was available, and until what the customer writes there was sent. */
  readonly Contact: FunctionComponent;
  readonly isContactOpen: ReadonlySignal<boolean>;
  /** While a person is awaited, and until what the customer writes there was sent. */
  readonly Summary: FunctionComponent;
  readonly isSummaryOpen: ReadonlySignal<boolean>;
  /** At the end of an ended conversation. */
  readonly Rating: FunctionComponent;
}
