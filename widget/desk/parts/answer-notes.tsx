import { useComputed } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { AnswerMade, MadePassage, MadeUsage } from "../../../shared/answer-made.ts";
import type { DeskConversation } from "../../../shared/desk.ts";
import type { Message } from "../../../shared/message.ts";
import { ThumbIcon } from "../../elements/log-icons.tsx";
import { OutLink } from "../../elements/out-link.tsx";
import { safeHref } from "../../elements/safe-href.ts";
import { answerTexts as texts } from "../answer-texts.ts";
import styles from "../css/answer-notes.module.css";
import { useDesk } from "../desk-context.ts";

/** Under an agent's answer: whether it helped, what it was made of, and how its owner makes it better. Read here, because a row is not redrawn. */
export function AnswerNotes({ message }: { message: Message }) {
  const { log } = useDesk().board;
  const made = useComputed(() => log.notes.value.find(({ seq }) => seq === message.seq)?.made).value;
  const feedback = useComputed(() => log.feedback.value.get(message.id)).value;
  const places = made?.passages.filter(({ use }) => use === "quoted") ?? [];
  const isMissing = places.length === 0 && made?.noQuote !== undefined && MISSING.has(made.noQuote);
  return (
    <>
      {feedback && (
        <p class={styles.feedback} data-score={feedback}>
          <ThumbIcon />
          {texts.feedback[feedback]}
        </p>
      )}
      {made && (
        <Fold summary={texts.summary(made)}>
          <Made made={made} />
        </Fold>
      )}
      {(places.length > 0 || isMissing) && (
        <Fold summary={texts.better}>
          {places.length > 0 ? (
            <ChangeArticles places={places} />
          ) : (
            <NewArticle folder={made?.folder} title={questionBefore(log.opened.peek(), message)} />
          )}
        </Fold>
      )}
    </>
  );
}

/** The reasons for an answer without a quote that a better article would remove. */
const MISSING: ReadonlySet<AnswerMade["noQuote"]> = new Set(["unsure", "nothing_near", "no_source"]);

/** The customer's last words before an answer, as a title. */
function questionBefore(opened: DeskConversation | undefined, { seq }: Message): string {
  const asked = opened?.messages.findLast((message) => message.role === "customer" && message.seq < seq);
  return (asked?.body ?? "").slice(0, MAX_TITLE).toWellFormed();
}

const MAX_TITLE = 200;

function Fold({ summary, children }: { summary: string; children: ComponentChildren }) {
  return (
    <details class={styles.fold}>
      <summary>{summary}</summary>
      <div class={styles.inside}>{children}</div>
    </details>
  );
}

function Made({ made: { passages, tools, noQuote, withheld, usage } }: { made: AnswerMade }) {
  return (
    <>
      {noQuote && <p>{texts.reason[noQuote]}</p>}
      {withheld && <p>{texts.withheld}</p>}
      <dl>
        {passages.length > 0 && (
          <Field name={texts.passages}>
            <ul>
              {passages.map(({ title, heading, use, probability }) => (
                <li key={`${title} ${heading}`}>
                  <bdi>{title}</bdi>
                  {heading && heading !== title && (
                    <>
                      {" · "}
                      <bdi>{heading}</bdi>
                    </>
                  )}
                  <span class={styles.quiet}>
                    {texts.use[use]}, {texts.likely(probability)}
                  </span>
                </li>
              ))}
            </ul>
          </Field>
        )}
        {tools.length > 0 && (
          <Field name={texts.tools}>
            <ul>
              {tools.map(({ name, status }, at) => (
                <li key={`${at} ${name}`}>
                  <bdi class={styles.code}>{name}</bdi>
                  <span class={styles.quiet}>{texts.tool[status]}</span>
                </li>
              ))}
            </ul>
          </Field>
        )}
        {usage && (
          <Field name={texts.cost}>
            <Usage usage={usage} />
          </Field>
        )}
      </dl>
    </>
  );
}

function Usage({
  usage: { model, inputTokens, outputTokens, isEstimate = false, price },
}: {
  usage: MadeUsage;
}) {
  return (
    <>
      {price && <>{texts.price(price.amount, price.currency)} · </>}
      {texts.tokens(inputTokens, outputTokens, isEstimate)}
      {model && (
        <>
          {" · "}
          <bdi class={styles.code}>{model}</bdi>
        </>
      )}
    </>
  );
}

function Field({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function ChangeArticles({ places }: { places: readonly MadePassage[] }) {
  return (
    <>
      <p>{texts.changeArticle}</p>
      <ul>
        {places.map(({ title, heading, file, url }) => {
          const href = url === undefined ? undefined : safeHref(url);
          return (
            <li key={`${title} ${heading}`}>
              {href ? (
                <OutLink class={styles.link} href={href}>
                  <bdi>{title}</bdi>
                </OutLink>
              ) : (
                <bdi>{title}</bdi>
              )}
              {heading && heading !== title && <> {texts.underHeading(heading)}</>}
              {file !== undefined && <Code text={file} />}
              {file === undefined && !href && <span class={styles.quiet}>{texts.noPlace}</span>}
            </li>
          );
        })}
      </ul>
    </>
  );
}

function NewArticle({ folder, title }: { folder: string | undefined; title: string }) {
  return (
    <>
      <p>
        {texts.newArticle} {folder === undefined ? `${texts.onSite}.` : texts.inFolder}
      </p>
      {folder !== undefined && <Code text={folder} />}
      {title !== "" && (
        <p>
          {texts.suggestedTitle} <bdi class={styles.title}>{title}</bdi>
        </p>
      )}
    </>
  );
}

/** A path runs from left to right, whatever is around it. */
function Code({ text }: { text: string }) {
  return (
    <code class={styles.path} dir="ltr">
      {text}
    </code>
  );
}
