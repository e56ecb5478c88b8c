import { useSignal, useSignalEffect } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { DeskConversation } from "../../../shared/desk.ts";
import { useFollow } from "../../elements/follow.ts";
import { useKeep } from "../../elements/keep.ts";
import { ToNewest } from "../../elements/to-newest.tsx";
import styles from "../css/log.module.css";
import { useDesk } from "../desk-context.ts";
import { customerName } from "../people.ts";
import { texts } from "../texts.ts";
import { MessageGroup } from "./message-group.tsx";
import { SentSummary } from "./sent-summary.tsx";
import { Separator } from "./separator.tsx";

/** The whole conversation, followed by answers in progress and unconfirmed replies. */
export function Log({ opened }: { opened: DeskConversation }) {
  const { log } = useDesk().board;
  const end = useEnd(opened.lastSeq + opened.messages.length, log.pendingCount.value);
  return (
    <>
      <SentSummary opened={opened} onShow={(seq) => show(end.scroller.current, seq)} />
      <div class={styles.logFrame}>
        <div
          class={styles.log}
          role="log"
          aria-label={texts.logLabel}
          aria-live="off"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          tabIndex={0}
          ref={end.scroller}
          onScroll={end.onScroll}
        >
          <div class={styles.entries} ref={end.content}>
            <ol>
              <Rows opened={opened} />
            </ol>
            {log.isTyping.value && (
              <p class={styles.typing}>{texts.customerTyping(customerName(opened.customer))}</p>
            )}
          </div>
        </div>
        {end.hasNews.value && <ToNewest hasNews texts={texts} onPress={end.toEnd} />}
      </div>
    </>
  );
}

/** Brings a message into view, with the focus on it: the next Tab goes on from there. */
function show(scroller: HTMLElement | null, seq: number): void {
  const message = scroller?.querySelector<HTMLElement>(`[data-seq="${seq}"]`);
  message?.scrollIntoView({ block: "center" });
  message?.focus({ preventScroll: true });
}

/** The rows of the log; an element is redrawn only when its content has changed. */
function Rows({ opened }: { opened: DeskConversation }) {
  const { board } = useDesk();
  const me = board.me.value;
  const keep = useKeep([opened.customer, opened.linked, me, new Date(board.now.value).toDateString()]);
  return (
    <>
      {board.log.rows.value.map((row) => {
        if (row.kind === "new") return null;
        return keep(row, "", () =>
          row.kind === "group" ? (
            <MessageGroup key={row.key} group={row} opened={opened} me={me} keep={keep} />
          ) : (
            <Separator key={row.key} row={row} opened={opened} />
          ),
        );
      })}
    </>
  );
}

/**
 * Keeps the newest message in view for a reader at the end, and never moves one who reads further up.
 * @param size changes with each entry
 * @param own how many replies of this person wait; a new one is brought into view
 */
function useEnd(size: number, own: number) {
  const follow = useFollow(() => undefined);
  const { place, toEnd } = follow;
  const hasNews = useSignal(false);
  const before = useRef({ size, own });
  useLayoutEffect(() => {
    if (own > before.current.own) toEnd();
    else if (size !== before.current.size && place.peek() !== "end") hasNews.value = true;
    before.current = { size, own };
  }, [size, own, place, toEnd, hasNews]);
  useSignalEffect(() => {
    if (place.value === "end") hasNews.value = false;
  });
  return { ...follow, hasNews };
}
