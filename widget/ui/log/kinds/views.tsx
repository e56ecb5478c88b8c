import type { VNode } from "preact";
import type { Message } from "../../../../shared/message.ts";
import type { KindFields, MessageKind } from "../../../../shared/message-kinds/kinds.ts";
import { authorOf } from "../../../app/author-name.ts";
import type { Texts } from "../../../app/texts.ts";
import { Citations } from "../../../elements/citations-view.tsx";
import { usePanel } from "../../panel-context.ts";
import { Choices } from "./choices-view.tsx";
import { Files } from "./files-view.tsx";

/** A message, sent or pending, with the fields of its kinds. */
type Said = Pick<Message, "id" | "role" | "author"> & KindFields;

interface KindView {
  readonly place: "bubble" | "below";
  readonly draw: (said: Said, texts: Texts) => VNode | false;
}

/** The panel's view of each kind, and whether it is inside the bubble or below it. */
const VIEWS: Readonly<Record<MessageKind, KindView>> = {
  attachments: {
    place: "bubble",
    draw: ({ attachments = [], role, author }, texts) =>
      attachments.length > 0 && <Files files={attachments} author={authorOf(texts, role, author?.name)} />,
  },
  citations: {
    place: "below",
    draw: ({ citations }, texts) => <Citations citations={citations} label={texts.sources} />,
  },
  choices: {
    place: "below",
    draw: ({ id, choices = [] }) => choices.length > 0 && <Choices messageId={id} choices={choices} />,
  },
};

/** The parts of a message other than its text. */
export function Kinds({ said, place }: { said: Said; place: KindView["place"] }) {
  const { texts } = usePanel();
  return <>{Object.values(VIEWS).map((view) => view.place === place && view.draw(said, texts))}</>;
}
