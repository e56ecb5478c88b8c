import { useLayoutEffect, useRef } from "preact/hooks";
import type { DeskConversation } from "../../../shared/desk.ts";
import { CheckIcon } from "../../elements/log-icons.tsx";
import type { BoardModel } from "../board-model.ts";
import controlsStyles from "../css/controls.module.css";
import conversationStyles from "../css/conversation.module.css";
import { useDesk } from "../desk-context.ts";
import { customerTitle, holderName, isNameless, presenceText } from "../people.ts";
import type { QueueGroupName } from "../queue-order.ts";
import { hasFailed } from "../reading.ts";
import { durationText, texts } from "../texts.ts";
import { ConversationFoot } from "./conversation-foot.tsx";
import { CustomerLink } from "./customer-link.tsx";
import { BackIcon, CardIcon, QuietScene, ReturnIcon } from "./desk-icons.tsx";
import { Log } from "./log.tsx";
import { MainButton } from "./main-button.tsx";
import { ReadFailed } from "./read-failed.tsx";

/** The open conversation: its name and actions, the log, and the composer. */
export function ConversationRegion() {
  const { board } = useDesk();
  const id = board.openedId.value;
  return (
    <main
      class={conversationStyles.conversation}
      data-region="conversation"
      data-crowded={id !== undefined && isCrowded(board, id)}
    >
      {id === undefined ? <NothingOpen /> : <OpenConversation key={id} id={id} />}
    </main>
  );
}

/** A draft is shown, and nothing that can't shrink. */
function isCrowded(board: BoardModel, id: string): boolean {
  const kind = board.agentDrafts.value[id]?.kind;
  const hasMore = board.doubt.value?.conversationId === id || board.files.value.length > 0;
  return kind !== undefined && kind !== "asking" && board.isMine.value && !hasMore;
}

/** The groups whose conversations may need this person. */
const NEEDING: ReadonlySet<QueueGroupName> = new Set(["waiting", "decision", "mine"]);

function NothingOpen() {
  const { board } = useDesk();
  const waiting = board.waitingCount.value;
  const groups = board.groups.value;
  const isRead = board.queueReading.value === "ready";
  const isQuiet = isRead && groups.every(({ name, rows }) => rows.length === 0 || !NEEDING.has(name));
  const first = groups.find(({ name }) => name === "waiting")?.rows[0];
  const title = isQuiet ? texts.nothingOpenQuiet : texts.nothingOpenTitle;
  return (
    <div class={conversationStyles.nothingOpen}>
      <QuietScene />
      <h1>{waiting ? texts.nothingOpenWaiting(waiting) : title}</h1>
      <p>{groups.every(({ rows }) => rows.length === 0) ? texts.nothingAtAllBody : texts.nothingOpenBody}</p>
      {first && <MainButton onClick={() => board.open(first.id)}>{texts.openFirst}</MainButton>}
    </div>
  );
}

function OpenConversation({ id }: { id: string }) {
  const { board } = useDesk();
  const heading = useRef<HTMLHeadingElement>(null);
  const opened = board.log.opened.value;
  const view = board.view.value;
  useLayoutEffect(() => {
    // On opening, and on coming back to it on a small screen.
    if (view === "conversation") heading.current?.focus();
  }, [view]);

  const whose = opened ?? board.queue.value.find((row) => row.id === id);
  const customer = whose?.customer;
  const reading = board.openedReading.value;
  const unnamed = reading === "erased" || hasFailed(reading) ? texts.logLabel : texts.reading;
  const title = customer ? customerTitle(customer) : unnamed;
  return (
    <>
      <header class={conversationStyles.conversationHead}>
        <button
          type="button"
          class={`${controlsStyles.iconButton} ${controlsStyles.onlySmall}`}
          aria-label={texts.back}
          onClick={() => board.show("queue")}
        >
          <BackIcon />
        </button>
        {whose && <CustomerLink of={whose} isTabStop />}
        <div class={conversationStyles.conversationName}>
          <h1 tabIndex={-1} ref={heading} title={title}>
            <bdi>{title}</bdi>
          </h1>
          {opened && (
            <p class={conversationStyles.conversationState}>
              {[stateText(opened, board), whetherThere(opened, board), visitText(opened)]
                .filter(Boolean)
                .join(" · ")}
            </p>
          )}
        </div>
        <HeadActions />
        <button
          type="button"
          class={`${controlsStyles.iconButton} ${controlsStyles.notWide}`}
          aria-label={texts.customerButton}
          onClick={() => board.show("customer")}
        >
          <CardIcon />
        </button>
      </header>
      <ConnectionState />
      {opened ? (
        <>
          <Log opened={opened} />
          <ConversationFoot opened={opened} />
        </>
      ) : (
        <NotRead />
      )}
    </>
  );
}

function HeadActions() {
  const { board } = useDesk();
  const opened = board.log.opened.value;
  if (!opened || !board.isMine.value || board.cameFrom.value !== undefined) return null;
  const busy = board.busy.value[opened.id];
  return (
    <div class={conversationStyles.headActions}>
      <button
        type="button"
        class={controlsStyles.button}
        aria-disabled={!!busy}
        onClick={() => void board.giveBack()}
      >
        <ReturnIcon />
        <span class={controlsStyles.buttonText}>
          {busy === "giveBack" ? texts.giveBackBusy : texts.giveBack}
        </span>
      </button>
      <button
        type="button"
        class={controlsStyles.button}
        aria-disabled={!!busy}
        onClick={() => void board.resolve()}
      >
        <CheckIcon />
        <span class={controlsStyles.buttonText}>
          {busy === "resolve" ? texts.resolveBusy : texts.resolve}
        </span>
      </button>
    </div>
  );
}

/** On a small screen the bar with the state of the connection is hidden while a conversation is open. */
function ConnectionState() {
  const connection = useDesk().board.connection.value;
  if (connection === "live" || connection === "connecting") return null;
  return (
    <p class={`${conversationStyles.conversationLine} ${controlsStyles.onlySmall}`}>
      {texts.connection[connection]}
    </p>
  );
}

function NotRead() {
  const { board } = useDesk();
  const reading = board.openedReading.value;
  if (reading === "erased") return <p class={controlsStyles.quiet}>{texts.erased}</p>;
  if (!hasFailed(reading)) return <p class={controlsStyles.quiet}>{texts.reading}</p>;
  return (
    <ReadFailed
      reading={reading}
      sentence={texts.readFailed}
      class={`${controlsStyles.trouble} ${conversationStyles.notRead}`}
      onTryAgain={board.readAgain}
    >
      {reading === "not_found" && <Unsent />}
    </ReadFailed>
  );
}

/** What this person has not sent to a conversation that does not exist any more, to be copied or removed. */
function Unsent() {
  const { board } = useDesk();
  const unsent = new Set(board.openedUnsent.value);
  if (unsent.size === 0) return null;
  const remove = ({ currentTarget }: { currentTarget: HTMLElement }) => {
    // The pressed button disappears.
    currentTarget.closest("main")?.querySelector("h1")?.focus();
    board.dropUnsentOf(board.openedId.peek() ?? "");
  };
  return (
    <>
      <p>{texts.unsent}</p>
      {[...unsent].map((text) => (
        <p key={text} class={conversationStyles.unsent} dir="auto">
          {text}
        </p>
      ))}
      <button type="button" class={controlsStyles.button} onClick={remove}>
        {texts.removeUnsent}
      </button>
    </>
  );
}

/** Without a live connection nobody knows who is there. */
function whetherThere({ presence, state }: DeskConversation, board: BoardModel): string | undefined {
  if (!presence || state === "ended" || board.connection.value !== "live") return undefined;
  return presenceText(presence, board.now.value);
}

/** Which of their conversations this is, where the name above does not say it. */
function visitText({ customer }: DeskConversation): string | undefined {
  return !isNameless(customer) && customer.visit ? texts.visit(customer.visit) : undefined;
}

function stateText(opened: DeskConversation, board: BoardModel): string {
  if (opened.state === "taken")
    return board.isMine.value ? texts.state.mine : texts.state.others(holderName(opened));
  if (opened.state !== "waiting") return texts.state[opened.state];
  const since = board.queue.value.find((row) => row.id === opened.id)?.waitingSince;
  return since ? texts.state.waiting(durationText(board.now.value - Date.parse(since))) : texts.group.waiting;
}
