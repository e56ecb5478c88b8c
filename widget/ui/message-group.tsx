import type { ReadonlySignal } from "@preact/signals";
import type { Citation, Message } from "../../shared/message.ts";
import type { LiveAnswer, Pending } from "../app/log-state.ts";
import { problemText } from "../app/problem-texts.ts";
import type { Texts } from "../app/texts.ts";
import { Avatar } from "./avatar.tsx";
import { AlertIcon, ArticleIcon, CheckIcon, ClockIcon, RetryIcon } from "./icons.tsx";
import type { Item, Row } from "./log-rows.ts";
import { OutLink } from "./out-link.tsx";
import { PlainText, RichText } from "./rich-text.tsx";
import { safeHref } from "./safe-href.ts";
import { authorOf } from "./who-answers.ts";

export interface GroupProps {
  readonly group: Extract<Row, { kind: "group" }>;
  readonly texts: Texts;
  readonly answer: ReadonlySignal<LiveAnswer | null>;
  readonly timeOf: (at: string) => string;
  /** The key of the customer's newest message; only that one says how it stands. */
  readonly newestOwn: string | undefined;
  readonly onRetry: (clientMessageId: string) => void;
  readonly onDiscard: (clientMessageId: string) => void;
}

/** Messages that one author wrote in one breath. */
export function MessageGroup(props: GroupProps) {
  const { group, texts } = props;
  const author = authorOf(texts, group.role, group.name);
  if (group.role === "system") {
    return (
      <div class="note">
        {group.items.map(
          (item) => item.kind === "message" && <Note key={item.key} message={item.message} texts={texts} />,
        )}
      </div>
    );
  }
  return (
    <div class="group" data-role={group.role}>
      {group.role !== "customer" && (
        <div class="byline" aria-hidden="true">
          <Avatar role={group.role} name={group.name} />
          <span class="author" dir="auto">
            {author}
          </span>
          {group.at && <time dateTime={group.at}>{props.timeOf(group.at)}</time>}
        </div>
      )}
      {group.items.map((item) => (
        <div class="message" key={item.key} data-state={stateOf(item)}>
          <span class="hidden-text">{texts.says(author)}</span>
          <Words item={item} {...props} />
          <Footer item={item} {...props} />
        </div>
      ))}
    </div>
  );
}

function stateOf(item: Item): string {
  return item.kind === "pending" ? item.pending.status : item.kind;
}

function Note(props: { message: Message; texts: Texts }) {
  const { notice, body } = props.message;
  return <p dir="auto">{notice ? props.texts[`notice_${notice}`] : body}</p>;
}

function Words({ item, answer, texts }: GroupProps & { item: Item }) {
  if (item.kind === "answer") return <AnswerWords answer={answer} texts={texts} />;
  const { role, body } =
    item.kind === "message" ? item.message : { role: "customer" as const, body: item.pending.body };
  return (
    <div class="bubble">{role === "customer" ? <PlainText text={body} /> : <RichText text={body} />}</div>
  );
}

/** Reads the signal itself, so that each piece of an answer repaints this one bubble and nothing else. */
function AnswerWords({ answer, texts }: { answer: ReadonlySignal<LiveAnswer | null>; texts: Texts }) {
  const text = answer.value?.text ?? "";
  return (
    <div class="bubble">
      {text.trim() ? <RichText text={text} /> : <Dots label={texts.isTyping(texts.agent)} />}
    </div>
  );
}

export function Dots({ label }: { label: string }) {
  return (
    <span class="dots" role="img" aria-label={label}>
      <i />
      <i />
      <i />
    </span>
  );
}

function Footer(props: GroupProps & { item: Item }) {
  const { item, texts } = props;
  if (item.kind === "answer") return null;
  if (item.kind === "pending") return <PendingFooter {...props} pending={item.pending} />;
  const { message } = item;
  if (message.role !== "customer") {
    return (
      <>
        {message.incomplete && <p class="small">{texts.incomplete}</p>}
        {message.citations && message.citations.length > 0 && (
          <Sources citations={message.citations} label={texts.sources} />
        )}
      </>
    );
  }
  if (item.key !== props.newestOwn) return null;
  return (
    <p class="stand">
      <time dateTime={message.at}>{props.timeOf(message.at)}</time>
      <CheckIcon />
      <span>{texts.sent}</span>
    </p>
  );
}

function PendingFooter(props: GroupProps & { pending: Pending }) {
  const { pending, texts } = props;
  if (pending.status !== "not_confirmed") {
    return (
      <p class="stand">
        <ClockIcon />
        <span>{pending.status === "sending" ? texts.sending : texts.kept}</span>
      </p>
    );
  }
  const { clientMessageId, code = "not_confirmed", retryAfter } = pending;
  return (
    <div class="doubt">
      <p>
        <AlertIcon />
        <span>
          <strong>{texts.notConfirmed}</strong> {problemText(texts, { code, retryAfter })}
        </span>
      </p>
      <div class="doubt-actions">
        <button type="button" class="quiet strong" onClick={() => props.onRetry(clientMessageId)}>
          <RetryIcon />
          {texts.retry}
        </button>
        <button type="button" class="quiet" onClick={() => props.onDiscard(clientMessageId)}>
          {texts.discard}
        </button>
      </div>
    </div>
  );
}

/** Where the words of an answer stand; a link only to a safe web address. */
function Sources({ citations, label }: { citations: readonly Citation[]; label: string }) {
  return (
    <ul class="sources" aria-label={label}>
      {citations.map(({ citationId, title, url }) => {
        const href = url?.startsWith("http") ? safeHref(url) : undefined;
        const words = (
          <>
            <ArticleIcon />
            <span dir="auto">{title}</span>
          </>
        );
        return (
          <li key={citationId}>
            {href ? (
              <OutLink class="source" href={href}>
                {words}
              </OutLink>
            ) : (
              <span class="source">{words}</span>
            )}
          </li>
        );
      })}
    </ul>
  );
}
