import type { ComponentChildren, FunctionComponent } from "preact";
import type { Chat } from "../app/chat.ts";
import { isIdentityFault, problemText } from "../app/problem-texts.ts";
import type { Texts } from "../app/texts.ts";
import buttonStyles from "./button.module.css";
import { AlertIcon, PersonIcon } from "./icons.tsx";
import { OutLink } from "./out-link.tsx";
import { safeHref } from "./safe-href.ts";
import styles from "./strips.module.css";

export interface StripProps {
  readonly chat: Chat;
  readonly texts: Texts;
}

/** What the customer should know right now, above the composer: at most one doubt, and how the conversation stands, which comes with the conversation's part. */
export function Strips({
  chat,
  texts,
  Standing,
}: StripProps & { readonly Standing: FunctionComponent<StripProps> | undefined }) {
  return (
    <div class={styles.strips}>
      <Doubt chat={chat} texts={texts} />
      {chat.outbox.isAtRisk.value && <Strip tone="doubt">{texts.lostByReload}</Strip>}
      {!chat.identity.isChanging.value &&
        (Standing ? (
          <Standing chat={chat} texts={texts} />
        ) : (
          chat.conversation.handoffRequest.value.kind === "afterMessage" && <AfterMessage texts={texts} />
        ))}
    </div>
  );
}

export function AfterMessage({ texts }: Pick<StripProps, "texts">) {
  return (
    <Strip tone="quiet" icon={<PersonIcon />}>
      {texts.personAfterMessage}
    </Strip>
  );
}

export function Strip(props: {
  tone: "doubt" | "calm" | "quiet";
  icon?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <div class={styles.strip} data-tone={props.tone}>
      {props.icon}
      <div>{props.children}</div>
    </div>
  );
}

function Doubt({ chat, texts }: StripProps) {
  const session = chat.session.state.value;
  const handoff = chat.conversation.handoffRequest.value;
  const end = chat.conversation.endRequest.value;
  if (session.kind === "failed") {
    const isAboutIdentity = isIdentityFault(session.failure.code);
    const hidden = chat.outbox.hiddenCount.value;
    return (
      <Strip tone="doubt" icon={<AlertIcon />}>
        <p>
          {isAboutIdentity ? problemText(texts, session.failure) : texts.unreachable}
          {hidden > 0 && ` ${texts.statusKept(hidden)}`}
        </p>
        <div class={styles.actions}>
          <button
            type="button"
            class={`${buttonStyles.quiet} ${buttonStyles.strong}`}
            onClick={() => chat.wake()}
          >
            {texts.retry}
          </button>
          {isAboutIdentity && chat.identity.mayStayAnonymous.value && (
            <button type="button" class={buttonStyles.quiet} onClick={() => chat.identity.stayAnonymous()}>
              {texts.stayAnonymous}
            </button>
          )}
          <Fallback chat={chat} texts={texts} />
        </div>
      </Strip>
    );
  }
  const failed =
    handoff.kind === "failed"
      ? {
          text: texts.personNotConfirmed,
          failure: handoff.failure,
          again: () => chat.conversation.requestHuman(),
        }
      : end.kind === "failed"
        ? { text: texts.endNotConfirmed, failure: end.failure, again: () => chat.conversation.end() }
        : undefined;
  if (!failed) return null;
  return (
    <Strip tone="doubt" icon={<AlertIcon />}>
      <p>
        {failed.text} {problemText(texts, failed.failure)}
      </p>
      <div class={styles.actions}>
        <button
          type="button"
          class={`${buttonStyles.quiet} ${buttonStyles.strong}`}
          onClick={() => void failed.again()}
        >
          {texts.retry}
        </button>
      </div>
    </Strip>
  );
}

/** Another way to help, given by the site's owner, while support can't be reached. */
function Fallback({ chat, texts }: StripProps) {
  const fallback = chat.connection.fallback.value;
  const href = fallback && safeHref(fallback.href);
  if (!fallback || !href) return null;
  return (
    <OutLink class={buttonStyles.quiet} href={href}>
      {texts[`fallback_${fallback.kind}`]}
    </OutLink>
  );
}
