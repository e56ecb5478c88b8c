import { ClockIcon, PersonIcon } from "../elements/icons.tsx";
import { usePanel } from "./panel-context.ts";
import { AfterMessage, Strip } from "./strips.tsx";
import { useExtras } from "./use-extras.ts";
import { Waiting } from "./waiting.tsx";

/** The conversation's status, as far as the header does not show it. */
export function Standing() {
  const { chat, texts, extras } = usePanel();
  const { isContactOpen, isSummaryOpen } = extras.it.value ?? {};
  const conversation = chat.conversation.current.value;
  const handoff = chat.conversation.handoffRequest.value.kind;
  const person = <PersonIcon />;
  if (chat.conversation.endRequest.value.kind === "asking") return <Strip tone="quiet">{texts.ending}</Strip>;
  if (handoff === "afterMessage")
    return (
      <>
        {!conversation && <StartedOver />}
        <AfterMessage />
      </>
    );
  if (conversation?.status === "ended")
    return <Strip tone="quiet">{conversation.reopens ? texts.sendToContinue : texts.isEnded}</Strip>;
  if (handoff === "asking")
    return (
      <Strip tone="quiet" icon={<ClockIcon />}>
        {texts.askingForPerson}
      </Strip>
    );
  if (conversation?.handoff?.status === "requested")
    return (
      <Strip tone="calm" icon={person}>
        <p>{chat.session.features.value.people ? texts.personAsked : texts.personAskedUnseen}</p>
        <Waiting {...conversation.handoff.wait} />
        <Contact />
        <Summary />
      </Strip>
    );
  // A person has joined while the customer was writing the address or the summary.
  if (conversation?.handoff?.status === "accepted" && (isContactOpen?.value || isSummaryOpen?.value))
    return (
      <Strip tone="calm" icon={person}>
        {isContactOpen?.value && <Contact />}
        {isSummaryOpen?.value && <Summary />}
      </Strip>
    );
  const suggestion = chat.conversation.suggestion.value;
  if (suggestion !== null)
    return (
      <Strip tone="quiet" icon={person}>
        <span dir="auto">{suggestion ? texts.personSuggestedFor(suggestion) : texts.personSuggested}</span>
      </Strip>
    );
  const isFailed = conversation?.handoff?.status === "failed";
  if (conversation && !chat.session.features.value.turns)
    return (
      <Strip tone="quiet">
        {isFailed && `${texts.sentence(texts.markFailed)} `}
        {texts.problem_not_carried}
      </Strip>
    );
  const request = chat.conversation.handoffRequest.value;
  const isRefused = request.kind === "failed" && request.failure.code === "handoff_unavailable";
  if (isFailed || (isRefused && chat.session.features.value.contact))
    return (
      <Strip tone="quiet">
        {isFailed && <p>{texts.sentence(texts.markFailed)}</p>}
        <Contact />
      </Strip>
    );
  if (chat.conversation.isErased.value) return <Strip tone="quiet">{texts.erased}</Strip>;
  return <StartedOver />;
}

/** The session has expired, and with it the conversation that was shown; and what was requested there and is not confirmed. */
function StartedOver() {
  const { chat, texts } = usePanel();
  const conversation = chat.conversation.current.value;
  const { value: former } = chat.conversation.startedOver;
  // A customer who has signed in since may see a conversation that they had before.
  const isOwn = conversation && chat.session.customer()?.identified;
  const doubts = new Set(former?.doubts.map((doubt) => doubt(texts)));
  const isInDoubt = doubts.size > 0;
  if (!former || (isOwn && !isInDoubt)) return null;
  return (
    <Strip tone={isInDoubt ? "doubt" : "quiet"}>
      {isInDoubt && <p>{[...doubts].join(" ")}</p>}
      {!isOwn && (conversation ? texts.startedAnew : texts.startedOver)}
    </Strip>
  );
}

/** The offer to leave an address, where the service takes one and people can read it. */
function Contact() {
  const more = useExtras(usePanel().chat.session.features.value.contact);
  return more ? <more.Contact /> : null;
}

/** The offer to send the team a summary, where the service takes one. */
function Summary() {
  const more = useExtras(usePanel().chat.session.features.value.summary);
  return more ? <more.Summary /> : null;
}
