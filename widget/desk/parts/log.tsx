import { useComputed } from "@preact/signals";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { DeskConversation } from "../../../shared/desk.ts";
import { useKeep } from "../../ui/drawn-sections.tsx";
import { DownIcon } from "../../ui/log-icons.tsx";
import { RichText } from "../../ui/rich-text.tsx";
import type { BoardModel } from "../board-model.ts";
import styles from "../css/log.module.css";
import { customerName } from "../people.ts";
import { texts } from "../texts.ts";
import { BubbleHead, NAMES } from "./bubble-head.tsx";
import { MessageView, SeparatorView } from "./log-entry.tsx";
import { PendingReply } from "./pending-reply.tsx";

/** This near to the end counts as being there, in pixels: half a line of text. */
const NEAR_END_PX = 12;

/** Everything that was said, and below it what is being said and what is on its way. */
export function Log({ board, opened }: { board: BoardModel; opened: DeskConversation }) {
  const end = useStayAtEnd(opened.lastSeq + opened.messages.length, board.log.pendingCount.value);
  return (
    <div class={styles.logFrame}>
      <div
        class={styles.log}
        role="log"
        aria-label={texts.logLabel}
        aria-live="off"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        ref={end.ref}
        onScroll={end.onScroll}
      >
        <ol class={styles.entries}>
          <Rows board={board} opened={opened} />
        </ol>
        <Typing board={board} opened={opened} />
      </div>
      {end.hasNews && (
        <button type="button" class={styles.toEnd} onClick={end.goToEnd}>
          {texts.newMessages}
          <DownIcon />
        </button>
      )}
    </div>
  );
}

/** The rows of the log; an element is drawn again only when what it shows has changed. */
function Rows({ board, opened }: { board: BoardModel; opened: DeskConversation }) {
  const me = board.me.value;
  const now = board.now.value;
  const keep = useKeep([opened.customer, opened.linked, me, new Date(now).toDateString()]);
  return (
    <>
      {board.log.rows.value.map((row) => {
        if (row.kind === "new") return null;
        if (row.kind !== "group")
          return keep(row, "", () => <SeparatorView key={row.key} row={row} opened={opened} now={now} />);
        return row.items.map((item, index) => {
          if (item.kind === "answer") return <Answer key={item.key} id={item.key} board={board} />;
          if (item.kind === "pending")
            return keep(item.pending, "", () => (
              <PendingReply key={item.key} reply={item.pending} board={board} />
            ));
          const isFirst = index === 0;
          return keep(item.message, `${isFirst}`, () => (
            <MessageView key={item.key} message={item.message} isFirst={isFirst} opened={opened} me={me} />
          ));
        });
      })}
    </>
  );
}

/** Reads the answer's text itself, so that each piece of it draws this one bubble and nothing else. */
function Answer({ id, board }: { id: string; board: BoardModel }) {
  const text = useComputed(() => board.log.answers.value?.[id] ?? "");
  return (
    <li class={styles.message} data-role="agent" data-first="true" aria-busy="true">
      <BubbleHead role="agent" name={NAMES.agent} note={texts.answering} />
      <div class={styles.bubble}>
        <RichText text={text.value} />
      </div>
    </li>
  );
}

function Typing({ board, opened }: { board: BoardModel; opened: DeskConversation }) {
  if (!board.log.isTyping.value) return null;
  return <p class={styles.typing}>{texts.customerTyping(customerName(opened.customer))}</p>;
}

/** Keeps the newest words in view for those who are at the end, and never pulls away one who reads further up. */
function useStayAtEnd(size: number, mine: number) {
  const ref = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const seen = useRef(size);
  const sent = useRef(mine);
  const [hasNews, setHasNews] = useState(false);
  const goToEnd = () => {
    const log = ref.current;
    if (!log) return;
    log.scrollTop = log.scrollHeight;
    isAtEnd.current = true;
    setHasNews(false);
  };
  // After every paint: a growing answer moves the end without adding an entry.
  useLayoutEffect(() => {
    // One's own reply is always brought into view.
    if (isAtEnd.current || mine > sent.current) goToEnd();
    else if (size !== seen.current) setHasNews(true);
    seen.current = size;
    sent.current = mine;
  });
  useLayoutEffect(() => {
    const log = ref.current;
    const content = log?.firstElementChild;
    if (!content) return;
    // A picture that comes late, or a box that grows below, moves the end though nothing was said.
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current) log.scrollTop = log.scrollHeight;
    });
    observer.observe(log);
    observer.observe(content);
    return () => observer.disconnect();
  }, []);
  return {
    ref,
    hasNews,
    goToEnd,
    onScroll: () => {
      const log = ref.current;
      if (!log) return;
      isAtEnd.current = log.scrollHeight - log.scrollTop - log.clientHeight < NEAR_END_PX;
      if (isAtEnd.current) setHasNews(false);
    },
  };
}
