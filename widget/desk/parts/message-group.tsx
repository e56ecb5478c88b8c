import { useComputed } from "@preact/signals";
import type { DeskConversation, DeskUser } from "../../../shared/desk.ts";
import type { Message, Role } from "../../../shared/message.ts";
import { generatedBy } from "../../client/generated-by.ts";
import type { Group } from "../../client/rows.ts";
import { Byline } from "../../elements/byline.tsx";
import type { Keep } from "../../elements/keep.ts";
import logStyles from "../../elements/log.module.css";
import { CheckIcon } from "../../elements/log-icons.tsx";
import styles from "../../elements/message.module.css";
import { PlainText, RichText } from "../../elements/rich-text.tsx";
import deskStyles from "../css/log.module.css";
import { useDesk } from "../desk-context.ts";
import { customerName, givenName, isOfLinked, linkedName } from "../people.ts";
import type { Reply } from "../reply.ts";
import { texts } from "../texts.ts";
import { AnswerNotes } from "./answer-notes.tsx";
import { Kinds } from "./kinds/views.tsx";
import { PendingReply } from "./pending-reply.tsx";

interface GroupProps {
  readonly group: Group<Reply>;
  readonly opened: DeskConversation;
  readonly me: DeskUser | undefined;
  /** Another message does not draw those before it again. */
  readonly keep: Keep;
}

/** The displayed name of an author without a name. */
const NAMES: Readonly<Record<Role, string>> = {
  customer: texts.anonymous,
  agent: texts.aiAgent,
  human: texts.colleague,
  system: texts.system,
};

/** Messages that one author wrote shortly after one another: the customer's at the start, the team's at the end. */
export function MessageGroup({ group, opened, me, keep }: GroupProps) {
  const { calendar } = useDesk();
  const { role, items } = group;
  // A name does not prove an account, so this only chooses a colour, and nothing is called "you".
  const isMe = role === "human" && group.name === me?.name;
  const given = role === "customer" ? writerName(opened, items[0]) : group.name;
  const author = given ?? (role === "customer" ? customerName(opened.customer) : NAMES[role]);
  const last = items.at(-1);
  return (
    <li
      class={logStyles.group}
      data-role={role}
      data-side={role === "customer" ? "start" : "end"}
      data-look={isMe ? "own" : role}
    >
      <Byline role={role} author={author} initialsOf={given}>
        {role === "agent" && author !== texts.aiAgent && (
          <span class={deskStyles.aiMark}>{texts.aiMark}</span>
        )}
        {group.at && <time dateTime={group.at}>{calendar.timeOf(group.at)}</time>}
        {last?.kind === "answer" && <span>{texts.answering}</span>}
      </Byline>
      {items.map((item) => {
        if (item.kind === "answer") return <Answer key={item.key} id={item.key} />;
        if (item.kind === "pending")
          return keep(item.pending, "", () => <PendingReply key={item.key} reply={item.pending} />);
        const isSent = isMe && item === last;
        return keep(item.message, `${isSent}`, () => (
          <MessageView
            key={item.key}
            message={item.message}
            conversationId={opened.id}
            author={author}
            isSent={isSent}
          />
        ));
      })}
    </li>
  );
}

/** The name that the customer of these messages gave, who may have proved who they are since the first ones. */
function writerName(opened: DeskConversation, first: Group<Reply>["items"][number] | undefined) {
  const isLinked = first?.kind === "message" && isOfLinked(opened, first.message);
  return isLinked ? linkedName(opened) : givenName(opened.customer);
}

function MessageView(props: { message: Message; conversationId: string; author: string; isSent: boolean }) {
  const { calendar } = useDesk();
  const { message, conversationId, author, isSent } = props;
  return (
    <div
      class={styles.message}
      data-seq={message.seq}
      tabIndex={-1}
      data-state="message"
      data-generated={generatedBy(message)}
    >
      <div class={styles.bubble} title={calendar.momentOf(message.at)}>
        {message.body.trim() !== "" &&
          (message.role === "customer" ? (
            <PlainText text={message.body} />
          ) : (
            <RichText text={message.body} />
          ))}
        {message.notice && <p class={deskStyles.aside}>{texts.notice[message.notice]}</p>}
        {message.incomplete && <p class={deskStyles.aside}>{texts.incomplete}</p>}
        <Kinds message={message} conversationId={conversationId} author={author} />
      </div>
      {message.role === "agent" && <AnswerNotes message={message} />}
      {isSent && (
        <p class={styles.stand}>
          <CheckIcon />
          {texts.sent}
        </p>
      )}
    </div>
  );
}

/** Reads the answer's text itself, so that each piece redraws only this bubble. */
function Answer({ id }: { id: string }) {
  const { answers } = useDesk().board.log;
  const text = useComputed(() => answers.value?.[id] ?? "");
  return (
    <div class={styles.message} data-state="answer" aria-busy="true">
      <div class={styles.bubble}>
        <RichText text={text.value} />
      </div>
    </div>
  );
}
