import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { DeskState } from "../../../shared/desk.ts";
import hiddenStyles from "../../elements/hidden.module.css";
import controlsStyles from "../css/controls.module.css";
import queueStyles from "../css/queue.module.css";
import { customerAddress } from "../desk-address.ts";
import { useDesk } from "../desk-context.ts";
import type { QueueGroup } from "../queue-order.ts";
import { texts } from "../texts.ts";
import { ChevronIcon, QuietScene } from "./desk-icons.tsx";
import { MoreButton } from "./more-button.tsx";
import { QueueRow } from "./queue-row.tsx";
import { ReadFailed } from "./read-failed.tsx";
import { IsMain, RegionHeading } from "./region-heading.tsx";

/** Every conversation, grouped by who has it. Arrow keys go from row to row; Tab stops at the list once. */
export function QueueRegion() {
  const desk = useDesk();
  const { board } = desk;
  const region = useRef<HTMLElement>(null);
  const view = board.view.value;
  const lastView = useRef(view);
  useEffect(() => {
    // Back on a small screen: focus returns to the row that was left.
    if (view === "queue" && lastView.current !== "queue") rowToFocus(region.current)?.focus();
    lastView.current = view;
  }, [view]);
  useLayoutEffect(() => {
    // Back from another page, which had the focus: it goes to the row of the customer whose page it was. Not in a passive
    // effect: another page may open before that one runs, and `lastPage` then names a different page.
    const left = desk.lastPage();
    const id = left === "customer" ? desk.customer.lastId() : undefined;
    if (view === "queue" && left !== "board" && document.activeElement === document.body)
      rowToFocus(region.current, id && customerAddress(id))?.focus();
  }, []);
  const focused = useRef<HTMLElement | undefined>(undefined);
  useLayoutEffect(() => {
    const left = focused.current;
    if (!left || left.isConnected || document.activeElement !== document.body) return;
    // A row that moves to another group becomes another element.
    const same = rowsOf(region.current).find(({ dataset }) => dataset["id"] === left.dataset["id"]);
    (same ?? rowToFocus(region.current))?.focus();
  });

  const groups = board.groups.value;
  const reading = board.queueReading.value;
  const more = board.queueNext.value;
  const isEmpty = groups.every(({ name, rows }) => rows.length === 0 || name === "ended");
  const stop = tabStop(groups, board.openedId.value);
  // With one column, only the queue is shown until a conversation is opened.
  const isMain = board.columns.value === 1;
  return (
    <section
      class={queueStyles.queue}
      data-region="queue"
      role={isMain ? "main" : "navigation"}
      aria-label={texts.queueLabel}
      ref={region}
      onKeyDown={moveFocus}
      onFocusIn={({ target }) => {
        focused.current = target instanceof HTMLElement ? target : undefined;
      }}
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget) focused.current = undefined;
      }}
    >
      <IsMain.Provider value={isMain}>
        <RegionHeading of="region" class={hiddenStyles.hiddenText}>
          {texts.queueLabel}
        </RegionHeading>
        {reading === "reading" && <p class={controlsStyles.quiet}>{texts.queueLoading}</p>}
        <ReadFailed
          reading={reading}
          sentence={texts.queueFailed}
          class={controlsStyles.trouble}
          onTryAgain={() => void board.refresh()}
        />
        {reading === "ready" && isEmpty && (
          <div class={queueStyles.empty}>
            <QuietScene />
            <RegionHeading of="part">{texts.emptyTitle}</RegionHeading>
            <p>{texts.emptyBody}</p>
          </div>
        )}
        {groups.map((group) =>
          group.rows.length > 0 || more.some(({ state }) => state === stateOf(group)) ? (
            <Group key={group.name} group={group} tabStopId={stop} />
          ) : null,
        )}
        <LostUnsent />
      </IsMain.Provider>
    </section>
  );
}

/** What the person has not sent to conversations that a restore took away. */
function LostUnsent() {
  const { board } = useDesk();
  const lost = board.lostUnsent.value;
  if (lost.length === 0) return null;
  return (
    <section class={queueStyles.group} aria-label={texts.lostUnsent}>
      <RegionHeading of="part">{texts.lostUnsent}</RegionHeading>
      <ul>
        {lost.map(({ id, unsent }) => (
          <li key={id}>
            <button
              type="button"
              class={`${queueStyles.row} ${queueStyles.rowLost}`}
              aria-current={id === board.openedId.value ? "true" : undefined}
              data-id={id}
              onClick={() => board.open(id)}
            >
              <span class={queueStyles.rowPreview} dir="auto">
                {unsent[0]}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Group({ group, tabStopId }: { group: QueueGroup; tabStopId: string | undefined }) {
  const { board } = useDesk();
  const list = useRef<HTMLUListElement>(null);
  const next = board.queueNext.value.find(({ state }) => state === stateOf(group));
  const count = next ? `${group.rows.length}+` : group.rows.length;
  const canFold = group.name === "ended";
  const [folded, setFolded] = useState(canFold);
  const hidesDoubt = folded && group.rows.some(({ id }) => board.unconfirmedIn.value.has(id));
  const title = texts.group[group.name];
  return (
    <section class={queueStyles.group} data-group={group.name} aria-label={title}>
      <RegionHeading of="part">
        {canFold ? (
          <button type="button" aria-expanded={!folded} onClick={() => setFolded(!folded)}>
            {title}
            <span class={queueStyles.count}>{count}</span>{" "}
            {hidesDoubt && <span class={queueStyles.doubtMark}>{texts.notConfirmed}</span>}
            <ChevronIcon />
          </button>
        ) : (
          <>
            {title}
            <span class={queueStyles.count}>{count}</span>
          </>
        )}
      </RegionHeading>
      {!folded && (
        <ul ref={list}>
          {group.rows.map((row) => (
            <QueueRow key={row.id} row={row} group={group.name} isTabStop={row.id === tabStopId} />
          ))}
        </ul>
      )}
      {!folded && (
        <MoreButton
          list={list}
          hasMore={next !== undefined}
          name={texts.queueMore}
          onMore={() => void (next && board.readMore(next))}
        />
      )}
    </section>
  );
}

/** The state whose pages the group shows. Decisions come with the first page of all. */
function stateOf({ name }: QueueGroup): DeskState | undefined {
  if (name === "decision") return undefined;
  return name === "mine" || name === "others" ? "taken" : name;
}

/** Where Tab enters the list: the open row unless it may be folded away, or the first one. */
function tabStop(groups: readonly QueueGroup[], openedId: string | undefined): string | undefined {
  const all = groups.flatMap((group) => group.rows);
  const rows = all.filter(({ state }) => state !== "ended");
  return (rows.find((row) => row.id === openedId) ?? all[0])?.id;
}

function rowsOf(region: Element | null): HTMLElement[] {
  return [...(region?.querySelectorAll<HTMLElement>("li > button") ?? [])];
}

/** The row beside the link to `address`, otherwise the open one, or the first. */
function rowToFocus(region: Element | null, address?: string): HTMLElement | undefined {
  const rows = rowsOf(region);
  return (
    rows.find((row) => address !== undefined && row.nextElementSibling?.getAttribute("href") === address) ??
    rows.find((row) => row.getAttribute("aria-current") === "true") ??
    rows[0]
  );
}

function moveFocus(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const rows = rowsOf(event.currentTarget);
  const at = rows.indexOf(event.target as HTMLElement);
  if (at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
  const next: Record<string, number> = {
    ArrowDown: Math.min(at + 1, rows.length - 1),
    ArrowUp: Math.max(at - 1, 0),
    Home: 0,
    End: rows.length - 1,
  };
  const index = next[event.key];
  if (index === undefined) return;
  event.preventDefault();
  rows[index]?.focus();
}
