import type { DeskConversation, DeskUser } from "../../../shared/desk.ts";
import type { Message } from "../../../shared/message.ts";
import { CheckIcon } from "../../ui/icons.tsx";
import { PlainText, RichText } from "../../ui/rich-text.tsx";
import { isOfLinked, type LogEntry } from "../log-entries.ts";
import { customerName, linkedName } from "../people.ts";
import { texts } from "../texts.ts";
import { dateAndTime, dayName, timeOfDay } from "../times.ts";
import { BubbleHead, NAMES } from "./bubble-head.tsx";
import { Kinds } from "./kinds/views.tsx";

interface EntryProps {
  readonly opened: DeskConversation;
  readonly me: DeskUser | undefined;
  readonly now: number;
}

/** One line of the log: a day, something that happened, or a message. */
export function EntryView(props: EntryProps & { entry: LogEntry }) {
  const { entry } = props;
  if (entry.kind === "day") {
    return (
      <li class="day">
        <span>{dayName(entry.at, props.now)}</span>
      </li>
    );
  }
  if (entry.kind === "proof") {
    return (
      <li class="event" data-type="proof">
        <span>{texts.provenFromHere(linkedName(props.opened))}</span>
      </li>
    );
  }
  if (entry.kind === "event") {
    return (
      <li class="event" data-type={entry.event.type}>
        <span>
          {eventText(entry.event)} <time dateTime={entry.event.at}>{timeOfDay(entry.event.at)}</time>
          {entry.event.type === "conversation.rated" && entry.event.rating.comment && (
            <span class="rating-comment" dir="auto">
              {entry.event.rating.comment}
            </span>
          )}
        </span>
      </li>
    );
  }
  return <MessageView {...props} message={entry.message} isFirst={entry.isFirst} />;
}

function MessageView(props: EntryProps & { message: Message; isFirst: boolean }) {
  const { message, opened, me } = props;
  // A name is no proof of an account, so this chooses a colour and nothing is called "you".
  const isMe = message.role === "human" && message.author?.name === me?.name;
  const { customer } = opened;
  const own = isOfLinked(opened, message) ? linkedName(opened) : customer.displayName?.trim() || undefined;
  const given = message.role === "customer" ? own : message.author?.name;
  const name = given ?? (message.role === "customer" ? customerName(customer) : NAMES[message.role]);
  return (
    <li class="message" data-role={message.role} data-me={isMe} data-first={props.isFirst}>
      {props.isFirst ? (
        <BubbleHead role={message.role} name={name} initialsOf={given} at={message.at} />
      ) : (
        <span class="hidden-text">{name}</span>
      )}
      <div class="bubble" title={dateAndTime(message.at)}>
        <Body message={message} />
        <Kinds message={message} conversationId={opened.id} />
      </div>
      {isMe && (
        <p class="fate" data-fate="sent">
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
      {message.notice && <p class="aside">{texts.notice[message.notice]}</p>}
      {message.incomplete && <p class="aside">{texts.incomplete}</p>}
    </>
  );
}

function eventText(event: Extract<LogEntry, { kind: "event" }>["event"]): string {
  switch (event.type) {
    case "conversation.started":
      return texts.event.started;
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
