import { useLayoutEffect, useRef } from "preact/hooks";
import type { DeskConversation } from "../../../shared/desk.ts";
import { AlertIcon, PersonIcon } from "../../ui/icons.tsx";
import richTextStyles from "../../ui/rich-text.module.css";
import type { BoardModel } from "../board-model.ts";
import controlsStyles from "../css/controls.module.css";
import footStyles from "../css/foot.module.css";
import { failureText, texts } from "../texts.ts";
import { Composer } from "./composer.tsx";

/** What can be done next: take it, answer, or know why neither can be done here. */
export function ConversationFoot({ board, opened }: { board: BoardModel; opened: DeskConversation }) {
  const box = useRef<HTMLTextAreaElement>(null);
  const isMine = board.isMine.value;
  const tookHere = useRef(false);
  useLayoutEffect(() => {
    // Focus follows the person who pressed the button, and no one else.
    if (!isMine || !tookHere.current) return;
    tookHere.current = false;
    box.current?.focus();
  }, [isMine]);

  const take = () => {
    tookHere.current = true;
    void board.take();
  };
  return (
    <footer class={footStyles.foot}>
      <Doubt board={board} opened={opened} />
      {isMine ? (
        <Composer board={board} opened={opened} boxRef={box} />
      ) : (
        <>
          <KeptDraft board={board} id={opened.id} />
          <Outlook board={board} opened={opened} onTake={take} />
        </>
      )}
    </footer>
  );
}

/** Why nothing can be written here, or the button that changes it. */
function Outlook(props: { board: BoardModel; opened: DeskConversation; onTake: () => void }) {
  const { board, opened } = props;
  if (opened.state === "waiting") {
    const busy = board.busy.value[opened.id] === "take";
    return (
      <div class={`${footStyles.outlook} ${footStyles.outlookTake}`}>
        <p>{texts.takeHint}</p>
        <button
          type="button"
          class={`${controlsStyles.button} ${controlsStyles.buttonMain}`}
          aria-disabled={busy}
          onClick={props.onTake}
        >
          <PersonIcon />
          {busy ? texts.takeBusy : texts.take}
        </button>
      </div>
    );
  }
  const name = opened.takenBy?.name ?? opened.handoff?.human?.name ?? texts.colleague;
  const hint = {
    taken: texts.othersHint(name),
    agent: texts.agentHint,
    ended: texts.endedHint,
  }[opened.state];
  return (
    <div class={footStyles.outlook}>
      <p>{hint}</p>
    </div>
  );
}

/** An action that was not confirmed: what, why, and once more. */
function Doubt({ board, opened }: { board: BoardModel; opened: DeskConversation }) {
  const doubt = board.doubt.value;
  if (doubt?.conversationId !== opened.id) return null;
  // Taking has its own button right below.
  const canRepeat = doubt.action !== "take" && board.isMine.value;
  const again = () => void (doubt.action === "giveBack" ? board.giveBack() : board.resolve());
  return (
    <div class={`${controlsStyles.banner} ${controlsStyles.bannerDoubt}`}>
      <AlertIcon />
      <p>
        <strong>{texts.action[doubt.action]}</strong> {failureText(doubt.failure.code, doubt.failure)}
      </p>
      {canRepeat && (
        <button type="button" class={controlsStyles.button} onClick={again}>
          {texts.tryAgain}
        </button>
      )}
    </div>
  );
}

/** Somebody else has it now, or it is over: what was being written stays to be read and copied. */
function KeptDraft({ board, id }: { board: BoardModel; id: string }) {
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
