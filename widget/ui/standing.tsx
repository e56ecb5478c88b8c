import { ClockIcon, PersonIcon } from "./icons.tsx";
import { AfterMessage, Strip, type StripProps } from "./strips.tsx";

/** How the conversation stands, as far as it is not in the header. */
export function Standing({ chat, texts }: StripProps) {
  const conversation = chat.conversation.current.value;
  const handoff = chat.conversation.handoffRequest.value.kind;
  const person = <PersonIcon />;
  if (chat.conversation.endRequest.value.kind === "asking") return <Strip tone="quiet">{texts.ending}</Strip>;
  if (conversation?.status === "ended") return <Strip tone="quiet">{texts.isEnded}</Strip>;
  if (handoff === "asking")
    return (
      <Strip tone="quiet" icon={<ClockIcon />}>
        {texts.askingForPerson}
      </Strip>
    );
  if (handoff === "afterMessage") return <AfterMessage texts={texts} />;
  if (conversation?.handoff?.status === "requested")
    return (
      <Strip tone="calm" icon={person}>
        {chat.session.features.value.people ? texts.personAsked : texts.personAskedUnseen}
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
  if (isFailed) return <Strip tone="quiet">{texts.personFailed}</Strip>;
  if (chat.conversation.isErased.value) return <Strip tone="quiet">{texts.erased}</Strip>;
  return chat.conversation.startedOver.value ? <Strip tone="quiet">{texts.startedOver}</Strip> : null;
}
