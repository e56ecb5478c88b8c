import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { DeskConversation } from "../../../shared/desk.ts";
import { DownIcon } from "../../ui/icons.tsx";
import { RichText } from "../../ui/rich-text.tsx";
import type { BoardModel } from "../board-model.ts";
import { listEntries } from "../log-entries.ts";
import { customerName } from "../people.ts";
import { texts } from "../texts.ts";
import { BubbleHead, NAMES } from "./bubble-head.tsx";
import { EntryView } from "./log-entry.tsx";
import { PendingReply } from "./pending-reply.tsx";

/** This near to the end counts as being there, in pixels: half a line of text. */
const NEAR_END_PX = 12;

/** Everything that was said, and below it what is being said and what is on its way. */
export function Log({ board, opened }: { board: BoardModel; opened: DeskConversation }) {
  const answers = Object.entries(board.board.value.answers[opened.id] ?? {});
  const replies = board.replies.value.filter((reply) => reply.conversationId === opened.id);
  const entries = listEntries(opened);
  const isTyping = board.board.value.typing.has(opened.id);
  const end = useStayAtEnd(opened.lastSeq + opened.messages.length, replies.length);
  return (
    <div class="log-frame">
      <div
        class="log"
        role="log"
        aria-label={texts.logLabel}
        aria-live="off"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        ref={end.ref}
        onScroll={end.onScroll}
      >
        <ol class="entries">
          {entries.map((entry) => (
            <EntryView
              key={entry.key}
              entry={entry}
              opened={opened}
              me={board.me.value}
              now={board.now.value}
            />
          ))}
          {answers.map(([id, text]) => (
            <li class="message" data-role="agent" data-first="true" key={id} aria-busy="true">
              <BubbleHead role="agent" name={NAMES.agent} note={texts.answering} />
              <div class="bubble">
                <RichText text={text} />
              </div>
            </li>
          ))}
          {replies.map((reply) => (
            <PendingReply key={reply.clientMessageId} reply={reply} board={board} />
          ))}
        </ol>
        {isTyping && <p class="typing">{texts.customerTyping(customerName(opened.customer))}</p>}
      </div>
      {end.hasNews && (
        <button type="button" class="to-end" onClick={end.goToEnd}>
          {texts.newMessages}
          <DownIcon />
        </button>
      )}
    </div>
  );
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
