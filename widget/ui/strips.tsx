import type { ComponentChildren } from "preact";
import type { Chat } from "../app/chat.ts";
import { isIdentityFault, problemText } from "../app/problem-texts.ts";
import type { Texts } from "../app/texts.ts";
import { AlertIcon, ClockIcon, PersonIcon } from "./icons.tsx";
import { OutLink } from "./out-link.tsx";
import { safeHref } from "./safe-href.ts";

interface StripProps {
  readonly chat: Chat;
  readonly texts: Texts;
}

/** What the customer should know right now, above the composer: at most one doubt and one standing. */
export function Strips({ chat, texts }: StripProps) {
  return (
    <div class="strips">
      <Doubt chat={chat} texts={texts} />
      {chat.isAtRisk.value && <Strip tone="doubt">{texts.lostByReload}</Strip>}
      {!chat.isHeld.value && <Standing chat={chat} texts={texts} />}
    </div>
  );
}

function Strip(props: {
  tone: "doubt" | "calm" | "quiet";
  icon?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <div class="strip" data-tone={props.tone}>
      {props.icon}
      <div>{props.children}</div>
    </div>
  );
}

function Doubt({ chat, texts }: StripProps) {
  const session = chat.session.value;
  const handoff = chat.handoffRequest.value;
  const end = chat.endRequest.value;
  if (session.kind === "failed") {
    const isAboutIdentity = isIdentityFault(session.failure.code);
    const hidden = chat.hidden();
    return (
      <Strip tone="doubt" icon={<AlertIcon />}>
        <p>
          {isAboutIdentity ? problemText(texts, session.failure) : texts.unreachable}
          {hidden > 0 && ` ${texts.statusKept(hidden)}`}
        </p>
        <div class="strip-actions">
          <button type="button" class="quiet strong" onClick={() => chat.wake()}>
            {texts.retry}
          </button>
          {isAboutIdentity && chat.mayStayAnonymous.value && (
            <button type="button" class="quiet" onClick={() => chat.stayAnonymous()}>
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
      ? { text: texts.personNotConfirmed, failure: handoff.failure, again: () => chat.requestHuman() }
      : end.kind === "failed"
        ? { text: texts.endNotConfirmed, failure: end.failure, again: () => chat.endConversation() }
        : undefined;
  if (!failed) return null;
  return (
    <Strip tone="doubt" icon={<AlertIcon />}>
      <p>
        {failed.text} {problemText(texts, failed.failure)}
      </p>
      <div class="strip-actions">
        <button type="button" class="quiet strong" onClick={() => void failed.again()}>
          {texts.retry}
        </button>
      </div>
    </Strip>
  );
}

/** Another way to help, given by the site's owner, while support can't be reached. */
function Fallback({ chat, texts }: StripProps) {
  const fallback = chat.fallback.value;
  const href = fallback && safeHref(fallback.href);
  if (!fallback || !href) return null;
  return (
    <OutLink class="quiet" href={href}>
      {texts[`fallback_${fallback.kind}`]}
    </OutLink>
  );
}

function Standing({ chat, texts }: StripProps) {
  const conversation = chat.conversation.value;
  const handoff = chat.handoffRequest.value.kind;
  const person = <PersonIcon />;
  if (chat.endRequest.value.kind === "asking") return <Strip tone="quiet">{texts.ending}</Strip>;
  if (conversation?.status === "ended") return <Strip tone="quiet">{texts.isEnded}</Strip>;
  if (handoff === "asking")
    return (
      <Strip tone="quiet" icon={<ClockIcon />}>
        {texts.askingForPerson}
      </Strip>
    );
  if (handoff === "afterMessage")
    return (
      <Strip tone="quiet" icon={person}>
        {texts.personAfterMessage}
      </Strip>
    );
  if (conversation?.handoff?.status === "requested")
    return (
      <Strip tone="calm" icon={person}>
        {chat.carries.value.people ? texts.personAsked : texts.personAskedUnseen}
      </Strip>
    );
  const suggestion = chat.suggestion.value;
  if (suggestion !== null)
    return (
      <Strip tone="quiet" icon={person}>
        <span dir="auto">{suggestion ? texts.personSuggestedFor(suggestion) : texts.personSuggested}</span>
      </Strip>
    );
  const isFailed = conversation?.handoff?.status === "failed";
  if (conversation && !chat.carries.value.turns)
    return (
      <Strip tone="quiet">
        {isFailed && `${texts.sentence(texts.markFailed)} `}
        {texts.problem_not_carried}
      </Strip>
    );
  if (isFailed) return <Strip tone="quiet">{texts.personFailed}</Strip>;
  if (chat.isErased.value) return <Strip tone="quiet">{texts.erased}</Strip>;
  return chat.startedOver.value ? <Strip tone="quiet">{texts.startedOver}</Strip> : null;
}
