import type { ComponentChildren, ComponentType } from "preact";
import { isIdentityFault, isRefusal, problemText } from "../app/problem-texts.ts";
import buttonStyles from "../elements/button.module.css";
import { AlertIcon, PersonIcon } from "../elements/icons.tsx";
import { OutLink } from "../elements/out-link.tsx";
import { safeHref } from "../elements/safe-href.ts";
import { usePanel } from "./panel-context.ts";
import styles from "./strips.module.css";

interface StripsProps {
  /** What a conversation adds, once it is loaded. */
  readonly part: { readonly Standing: ComponentType; readonly RequestDoubt: ComponentType } | undefined;
  readonly onReload: (() => void) | undefined;
}

/** The strips above the composer: what failed, and the conversation's status. */
export function Strips({ part, onReload }: StripsProps) {
  const { chat, texts } = usePanel();
  return (
    <div class={styles.strips}>
      <Doubt part={part} onReload={onReload} />
      {chat.outbox.isAtRisk.value && <Strip tone="doubt">{texts.lostByReload}</Strip>}
      {!chat.identity.isChanging.value &&
        !chat.conversation.isLost.value &&
        (part ? (
          <part.Standing />
        ) : (
          chat.conversation.handoffRequest.value.kind === "afterMessage" && <AfterMessage />
        ))}
    </div>
  );
}

export function AfterMessage() {
  const { texts } = usePanel();
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

/** A failure and the button to press next; `children` are further ways on. */
export function FailureStrip(props: {
  text: ComponentChildren;
  button: string;
  onPress: (event: MouseEvent) => void;
  children?: ComponentChildren;
}) {
  return (
    <Strip tone="doubt" icon={<AlertIcon />}>
      <p>{props.text}</p>
      <div class={styles.actions}>
        <button type="button" class={`${buttonStyles.quiet} ${buttonStyles.strong}`} onClick={props.onPress}>
          {props.button}
        </button>
        {props.children}
      </div>
    </Strip>
  );
}

function Doubt({ part, onReload }: StripsProps) {
  const { chat, texts } = usePanel();
  const session = chat.session.state.value;
  if (session.kind === "failed") {
    const { code } = session.failure;
    const isAboutIdentity = isIdentityFault(code);
    const hidden = chat.outbox.hiddenCount.value;
    const isOffline = chat.connection.state.value === "offline";
    const unreached = isOffline ? texts.sentence(texts.statusOffline) : texts.unreachable;
    // Without the seconds to wait, which would not count down here.
    const isSaid = isAboutIdentity || (isRefusal(code) && !isOffline);
    const text = isSaid ? problemText(texts, { code }) : unreached;
    return (
      <FailureStrip
        text={hidden > 0 ? `${text} ${texts.statusQueued(hidden)}` : text}
        button={texts.retry}
        onPress={() => chat.wake()}
      >
        {isAboutIdentity && chat.identity.mayStayAnonymous.value && (
          <button type="button" class={buttonStyles.quiet} onClick={() => chat.identity.stayAnonymous()}>
            {texts.stayAnonymous}
          </button>
        )}
        <Fallback />
      </FailureStrip>
    );
  }
  return (
    <>
      {onReload && (
        <FailureStrip
          text={<span role="alert">{texts.problem_internal}</span>}
          button={texts.reloadChat}
          onPress={onReload}
        />
      )}
      {part && <part.RequestDoubt />}
    </>
  );
}

/** The owner's other way to get help, while the chat can't help. */
export function Fallback() {
  const { chat, texts } = usePanel();
  const fallback = chat.connection.fallback.value;
  const href = fallback && safeHref(fallback.href);
  if (!fallback || !href) return null;
  return (
    <OutLink class={buttonStyles.quiet} href={href}>
      {texts[`fallback_${fallback.kind}`]}
    </OutLink>
  );
}
