import type { DeskConversation, DeskUser } from "../../../shared/desk.ts";
import type { Message } from "../../../shared/message.ts";
import type { Row } from "../../client/log-rows.ts";
import hiddenStyles from "../../ui/hidden.module.css";
import { CheckIcon } from "../../ui/log-icons.tsx";
import { PlainText, RichText } from "../../ui/rich-text.tsx";
import logStyles from "../css/log.module.css";
import type { DeskEntry } from "../log-model.ts";
import type { Outgoing } from "../outbox.ts";
import { customerName, isOfLinked, linkedName } from "../people.ts";
import { texts } from "../texts.ts";
import { dateAndTime, dayName, timeOfDay } from "../times.ts";
import { BubbleHead, NAMES } from "./bubble-head.tsx";
import { Kinds } from "./kinds/views.tsx";

/** A day, or something that happened. */
export function SeparatorView(props: {
  row: Exclude<Row<DeskEntry, Outgoing>, { kind: "group" | "new" }>;
  opened: DeskConversation;
  now: number;
}) {
  const { row } = props;
  if (row.kind === "day") {
    return (
      <li class={logStyles.day}>
        <span>{dayName(row.at, props.now)}</span>
      </li>
    );
  }
  const { entry } = row;
  if (entry.type === "proof") {
    return (
      <li class={logStyles.event} data-type="proof">
        <span>{texts.provenFromHere(linkedName(props.opened))}</span>
      </li>
    );
  }
  return (
    <li class={logStyles.event} data-type={entry.type}>
      <span>
        {eventText(entry)} <time dateTime={entry.at}>{timeOfDay(entry.at)}</time>
        {entry.type === "conversation.rated" && entry.rating.comment && (
          <span class={logStyles.ratingComment} dir="auto">
            {entry.rating.comment}
          </span>
        )}
      </span>
    </li>
  );
}

export function MessageView(props: {
  message: Message;
  isFirst: boolean;
  opened: DeskConversation;
  me: DeskUser | undefined;
}) {
  const { message, opened, me } = props;
  // A name is no proof of an account, so this chooses a colour and nothing is called "you".
  const isMe = message.role === "human" && message.author?.name === me?.name;
  const { customer } = opened;
  const own = isOfLinked(opened, message) ? linkedName(opened) : customer.displayName?.trim() || undefined;
  const given = message.role === "customer" ? own : message.author?.name;
  const name = given ?? (message.role === "customer" ? customerName(customer) : NAMES[message.role]);
  return (
    <li class={logStyles.message} data-role={message.role} data-me={isMe} data-first={props.isFirst}>
      {props.isFirst ? (
        <BubbleHead role={message.role} name={name} initialsOf={given} at={message.at} />
      ) : (
        <span class={hiddenStyles.hiddenText}>{name}</span>
      )}
      <div class={logStyles.bubble} title={dateAndTime(message.at)}>
        <Body message={message} />
        <Kinds message={message} conversationId={opened.id} />
      </div>
      {isMe && (
        <p class={logStyles.fate} data-fate="sent">
          <CheckIcon />
          {texts.sent}
        </p>
      )}
    </li>
  );
}

function Body({ message }: { message: Message }) {
  return (
    <>
      {message.body.trim() !== "" &&
        (message.role === "customer" ? <PlainText text={message.body} /> : <RichText text={message.body} />)}
      {message.notice && <p class={logStyles.aside}>{texts.notice[message.notice]}</p>}
      {message.incomplete && <p class={logStyles.aside}>{texts.incomplete}</p>}
    </>
  );
}

function eventText(event: Exclude<DeskEntry, { type: "proof" }>): string {
  switch (event.type) {
    case "handoff.requested":
      return texts.event.requested;
    case "handoff.accepted":
      return texts.event.accepted(event.handoff.human?.name ?? texts.colleague);
    case "handoff.returned":
      return texts.event.returned;
    case "handoff.failed":
      return texts.event.failed;
    case "conversation.rated":
      return texts.event.rated[event.rating.score];
    case "conversation.ended":
      return {
        customer: texts.event.endedByCustomer,
        human: texts.event.endedByHuman,
        system: texts.event.endedBySystem,
      }[event.by];
  }
}
