import type { ReadonlySignal } from "@preact/signals";
import type { Message } from "../../shared/message.ts";
import { authorOf } from "../app/author-name.ts";
import type { LiveAnswer, Pending } from "../app/log-state.ts";
import { problemText } from "../app/problem-texts.ts";
import type { Texts } from "../app/texts.ts";
import type { Calendar } from "../client/calendar.ts";
import type { Group, Item } from "../client/log-rows.ts";
import { Avatar } from "./avatar.tsx";
import buttonStyles from "./button.module.css";
import type { Keep } from "./drawn-sections.tsx";
import hiddenStyles from "./hidden.module.css";
import { AlertIcon, ClockIcon } from "./icons.tsx";
import { type KindProps, Kinds } from "./kinds/views.tsx";
import logStyles from "./log.module.css";
import { CheckIcon, RetryIcon, SeenIcon } from "./log-icons.tsx";
import messageStyles from "./message.module.css";
import { PlainText, RichText } from "./rich-text.tsx";

export interface GroupProps extends KindProps {
  readonly group: Group<Pending>;
  /** One more message leaves those before it as they are. */
  readonly keep: Keep;
  readonly answer: ReadonlySignal<LiveAnswer | null>;
  /** Up to which seq the service says that a person has read. */
  readonly seenUpTo: ReadonlySignal<number>;
  readonly calendar: Pick<Calendar, "timeOf" | "agoOf" | "momentOf">;
  /** Changes once a minute. */
  readonly minute: ReadonlySignal<number>;
  /** The key of the customer's newest message; only that one says how it stands. */
  readonly newestOwn: string | undefined;
  readonly onRetry: (clientMessageId: string) => void;
  readonly onDiscard: (clientMessageId: string) => void;
}

/** Messages that one author wrote in one breath. */
export function MessageGroup(props: GroupProps) {
  const { group, texts, keep, newestOwn } = props;
  const author = authorOf(texts, group.role, group.name);
  if (group.role === "system") {
    return (
      <div class={logStyles.note}>
        {group.items.map(
          (item) => item.kind === "message" && <Note key={item.key} message={item.message} texts={texts} />,
        )}
      </div>
    );
  }
  return (
    <div class={logStyles.group} data-role={group.role}>
      {group.role !== "customer" && (
        <div class={logStyles.byline} aria-hidden="true">
          <Avatar role={group.role} name={group.name} />
          <span class={logStyles.author} dir="auto">
            {author}
          </span>
          {group.at && <Time calendar={props.calendar} minute={props.minute} at={group.at} />}
        </div>
      )}
      {group.items.map((item) =>
        keep(item, `${item.key === newestOwn}`, () => (
          <MessageView {...props} key={item.key} item={item} author={author} />
        )),
      )}
    </div>
  );
}

/** One message; the arrow keys stop at it, and its name is all that it says. */
function MessageView(props: GroupProps & { item: Item<Pending>; author: string }) {
  const { item, texts } = props;
  const id = `message-${item.key}`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: the role is what the keys of the log look for
    <div
      class={messageStyles.message}
      id={id}
      role="article"
      tabIndex={-1}
      aria-labelledby={`${id}-by ${id}-words ${id}-stand`}
      data-state={item.kind === "pending" ? item.pending.status : item.kind}
    >
      <span class={hiddenStyles.hiddenText} id={`${id}-by`}>
        {texts.says(props.author)}
      </span>
      <div class={messageStyles.bubble} id={`${id}-words`}>
        <Words {...props} />
      </div>
      <Footer {...props} id={`${id}-stand`} />
    </div>
  );
}

/** Young, it says how long ago, and is drawn anew each minute, alone; its name, and paper, have the time on the clock. */
function Time({ at, calendar, minute }: Pick<GroupProps, "calendar" | "minute"> & { at: string }) {
  const ago = calendar.agoOf(at);
  // Only the young ones wait for the next minute: a long log costs nothing then.
  const isYoung = ago !== undefined && minute.value >= 0;
  const clock = calendar.timeOf(at);
  return (
    <time dateTime={at} title={calendar.momentOf(at)}>
      {isYoung ? (
        <>
          <span class={hiddenStyles.hiddenText}>{clock}</span>
          <span class={logStyles.ago} aria-hidden="true">
            {ago}
          </span>
        </>
      ) : (
        clock
      )}
    </time>
  );
}

function Note(props: { message: Message; texts: Texts }) {
  const { notice, body } = props.message;
  return <p dir="auto">{notice ? props.texts[`notice_${notice}`] : body}</p>;
}

function Words(props: GroupProps & { item: Item<Pending> }) {
  const { item, answer, texts } = props;
  if (item.kind === "answer") return <AnswerWords answer={answer} texts={texts} />;
  const said = item.kind === "pending" ? { id: item.key, role: "customer", ...item.pending } : item.message;
  const { role, body } = said;
  return (
    <>
      {role === "customer" ? body && <PlainText text={body} /> : <RichText text={body} copyTexts={texts} />}
      <Kinds {...props} said={said} place="bubble" />
    </>
  );
}

/** Reads the signal itself, so that each piece of an answer repaints this one bubble and nothing else. */
function AnswerWords({ answer, texts }: { answer: ReadonlySignal<LiveAnswer | null>; texts: Texts }) {
  const text = answer.value?.text ?? "";
  if (!text.trim()) return <Dots label={texts.isTyping(texts.agent)} />;
  return <RichText text={text} copyTexts={texts} />;
}

export function Dots({ label }: { label: string }) {
  return (
    <span class={logStyles.dots} role="img" aria-label={label}>
      <i />
      <i />
      <i />
    </span>
  );
}

function Footer(props: GroupProps & { item: Item<Pending>; id: string }) {
  const { item, texts, id } = props;
  if (item.kind === "answer") return null;
  if (item.kind === "pending") return <PendingFooter {...props} pending={item.pending} />;
  const { message } = item;
  if (message.role !== "customer") {
    return (
      <>
        {message.incomplete && (
          <p class={messageStyles.small} id={id}>
            {texts.incomplete}
          </p>
        )}
        <Kinds {...props} said={message} place="below" />
      </>
    );
  }
  return item.key === props.newestOwn ? <SentFooter {...props} message={message} /> : null;
}

/** Sent is what the service confirmed; seen, what it said that a person has read. */
function SentFooter(props: GroupProps & { message: Message; id: string }) {
  const { message, texts, seenUpTo } = props;
  const isSeen = seenUpTo.value >= message.seq;
  return (
    <p class={messageStyles.stand} id={props.id} data-seen={isSeen}>
      <Time {...props} at={message.at} />
      {isSeen ? <SeenIcon /> : <CheckIcon />}
      <span>{isSeen ? texts.seen : texts.sent}</span>
    </p>
  );
}

function PendingFooter(props: GroupProps & { pending: Pending; id: string }) {
  const { pending, texts, id } = props;
  if (pending.status !== "not_confirmed") {
    return (
      <p class={messageStyles.stand} id={id}>
        <ClockIcon />
        <span>{pending.status === "queued" ? texts.kept : texts.sending}</span>
      </p>
    );
  }
  const { clientMessageId, code = "not_confirmed", retryAfter } = pending;
  return (
    <div class={messageStyles.doubt}>
      <p id={id}>
        <AlertIcon />
        <span>
          <strong>{texts.notConfirmed}</strong> {problemText(texts, { code, retryAfter })}
        </span>
      </p>
      <div class={messageStyles.actions}>
        <button
          type="button"
          class={`${buttonStyles.quiet} ${buttonStyles.strong}`}
          onClick={() => props.onRetry(clientMessageId)}
        >
          <RetryIcon />
          {texts.retry}
        </button>
        <button type="button" class={buttonStyles.quiet} onClick={() => props.onDiscard(clientMessageId)}>
          {texts.discard}
        </button>
      </div>
    </div>
  );
}
