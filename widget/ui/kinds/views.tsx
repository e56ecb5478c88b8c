import type { VNode } from "preact";
import type { KindFields, MessageKind } from "../../../shared/message-kinds/kinds.ts";
import type { Part } from "../../app/part.ts";
import type { Texts } from "../../app/texts.ts";
import type { ExtrasPart } from "../extras.ts";
import { Choices } from "./choices.tsx";
import type { Choosing } from "./choosing.ts";
import { Citations } from "./citations.tsx";
import { Files } from "./files.tsx";

/** What the views of a message's kinds draw with. */
export interface KindProps {
  readonly texts: Texts;
  readonly extras: Part<ExtrasPart>;
  readonly choosing: Choosing;
}

/** A message, or one that is on its way, as far as its kinds go. */
interface Said extends KindFields {
  readonly id: string;
}

interface KindView {
  readonly place: "bubble" | "below";
  readonly draw: (said: Said, props: KindProps) => VNode | false;
}

/** The panel's view of each kind, and whether it stands inside the bubble or below it. */
const VIEWS: Readonly<Record<MessageKind, KindView>> = {
  attachments: {
    place: "bubble",
    draw: ({ attachments = [] }, { texts, extras }) =>
      attachments.length > 0 && <Files files={attachments} texts={texts} extras={extras} />,
  },
  citations: {
    place: "below",
    draw: ({ citations = [] }, { texts }) =>
      citations.length > 0 && <Citations citations={citations} label={texts.sources} />,
  },
  choices: {
    place: "below",
    draw: ({ id, choices = [] }, { texts, choosing }) =>
      choices.length > 0 && <Choices messageId={id} choices={choices} choosing={choosing} texts={texts} />,
  },
};

/** What a message carries beside its text. */
export function Kinds(props: KindProps & { said: Said; place: KindView["place"] }) {
  const { said, place, ...rest } = props;
  return <>{Object.values(VIEWS).map((view) => view.place === place && view.draw(said, rest))}</>;
}
