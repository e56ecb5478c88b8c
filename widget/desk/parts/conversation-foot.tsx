import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { DeskConversation } from "../../../shared/desk.ts";
import { AlertIcon, PersonIcon } from "../../elements/icons.tsx";
import richTextStyles from "../../elements/rich-text.module.css";
import { useLostFocus } from "../../elements/use-lost-focus.ts";
import controlsStyles from "../css/controls.module.css";
import footStyles from "../css/foot.module.css";
import { useDesk } from "../desk-context.ts";
import { troubleText } from "../failure-texts.ts";
import { holderName } from "../people.ts";
import { texts } from "../texts.ts";
import { Composer } from "./composer.tsx";
import { FailureSentence } from "./failure-reason.tsx";
import { MainButton } from "./main-button.tsx";
import { ReplyFiles } from "./reply-files.tsx";

/** The next action: take the conversation, answer, or read why neither is possible. */
export function ConversationFoot({ opened }: { opened: DeskConversation }) {
  const { board } = useDesk();
  const box = useRef<HTMLTextAreaElement>(null);
  const isMine = board.isMine.value;
  const tookHere = useRef(false);
  useLayoutEffect(() => {
    // Focus follows the person who pressed the button, and no one else.
    if (!isMine || !tookHere.current) return;
    tookHere.current = false;
    box.current?.focus();
  }, [isMine]);

  const doubt = board.doubt.value;
  /** The service said that the customer has left for another conversation, so this one stays ended. */
  const isSuperseded =
    opened.state === "ended" &&
    doubt?.conversationId === opened.id &&
    doubt.action === "reopen" &&
    doubt.failure.code === "conversation_ended";
  useLostFocus(() => {
    // Without a box it was handed back or has ended, or a colleague has it now, perhaps while somebody was typing.
    (box.current ?? document.querySelector<HTMLElement>("main h1"))?.focus();
  });

  const take = () => {
    tookHere.current = true;
    void board.take();
  };
  const reopen = () => {
    tookHere.current = true;
    void board.reopen();
  };
  const cameFrom = board.cameFrom.value;
  if (cameFrom !== undefined) {
    return (
      <footer class={footStyles.foot}>
        <QuietOutlook hint={texts.earlierHint} busy={false} onPress={() => board.open(cameFrom)}>
          {texts.earlierBack}
        </QuietOutlook>
      </footer>
    );
  }
  return (
    <footer class={footStyles.foot}>
      <Doubt opened={opened} />
      {isMine ? (
        <Composer opened={opened} boxRef={box} />
      ) : (
        <>
          <UnsentDraft id={opened.id} />
          <ReplyFiles conversationId={opened.id} />
          {!isSuperseded && <Outlook opened={opened} onTake={take} onReopen={reopen} />}
        </>
      )}
    </footer>
  );
}

/** Why nothing can be written here, or the button that changes it. */
function Outlook(props: { opened: DeskConversation; onTake: () => void; onReopen: () => void }) {
  const { opened } = props;
  const { board } = useDesk();
  const busy = board.busy.value[opened.id];
  switch (opened.state) {
    case "waiting":
      return (
        <div class={`${footStyles.outlook} ${footStyles.outlookTake}`}>
          <p>{texts.takeHint}</p>
          <MainButton busy={busy === "take"} onClick={props.onTake}>
            <PersonIcon />
            {busy === "take" ? texts.takeBusy : texts.take}
          </MainButton>
        </div>
      );
    case "agent":
      return (
        <QuietOutlook hint={texts.agentHint} busy={!!busy} onPress={props.onTake}>
          {busy === "take" ? texts.takeBusy : texts.takeOver}
        </QuietOutlook>
      );
    case "ended":
      return (
        <QuietOutlook hint={texts.endedHint} busy={!!busy} onPress={props.onReopen}>
          {busy === "reopen" ? texts.reopenBusy : texts.reopen}
        </QuietOutlook>
      );
    case "taken":
      return (
        <div class={footStyles.outlook}>
          <p>{texts.othersHint(holderName(opened))}</p>
        </div>
      );
  }
}

/** Actions that are possible here although the customer asked for nobody. */
function QuietOutlook(props: {
  hint: string;
  busy: boolean;
  onPress: () => void;
  children: ComponentChildren;
}) {
  return (
    <div class={`${footStyles.outlook} ${footStyles.outlookTake}`}>
      <p>{props.hint}</p>
      <button
        type="button"
        class={controlsStyles.button}
        aria-disabled={props.busy}
        onClick={() => !props.busy && props.onPress()}
      >
        {props.children}
      </button>
    </div>
  );
}

/** An action that was refused or is not confirmed: what, why, and a way to retry. */
function Doubt({ opened }: { opened: DeskConversation }) {
  const { board } = useDesk();
  const doubt = board.doubt.value;
  if (doubt?.conversationId !== opened.id) return null;
  // Taking and reopening have their own buttons right below.
  const canRepeat = (doubt.action === "giveBack" || doubt.action === "resolve") && board.isMine.value;
  const again = doubt.action === "giveBack" ? board.giveBack : board.resolve;
  return (
    <div class={`${controlsStyles.banner} ${controlsStyles.bannerDoubt}`}>
      <AlertIcon />
      <p>
        <FailureSentence
          of={doubt.failure}
          sentence={(failure) => troubleText(texts.action[doubt.action], failure)}
        />
      </p>
      {canRepeat && (
        <button type="button" class={controlsStyles.button} onClick={() => void again()}>
          {texts.tryAgain}
        </button>
      )}
    </div>
  );
}

/** Somebody else has it now, or it has ended: the draft stays so that it can be read and copied. */
function UnsentDraft({ id }: { id: string }) {
  const { board } = useDesk();
  const draft = board.drafts.value[id] ?? "";
  if (draft.trim() === "") return null;
  return (
    <div class={footStyles.keptDraft}>
      <p>{texts.draftKept}</p>
      <p class={richTextStyles.plain} dir="auto">
        {draft}
      </p>
    </div>
  );
}
