import { useLayoutEffect, useRef } from "preact/hooks";
import controlsStyles from "../css/controls.module.css";
import layoutStyles from "../css/layout.module.css";
import { useDesk } from "../desk-context.ts";
import { customerTitle } from "../people.ts";
import { texts } from "../texts.ts";

/** For a few seconds after a person resolved a conversation, also while they read another one. */
export function UndoBar() {
  const id = useDesk().board.undoable.value;
  return id === undefined ? null : <Undo key={id} id={id} />;
}

function Undo({ id }: { id: string }) {
  const { board } = useDesk();
  const bar = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const own = bar.current;
    return () => {
      // The focused button disappears with the bar.
      if (own?.contains(document.activeElement)) document.querySelector<HTMLElement>("main h1")?.focus();
    };
  }, []);
  const row = board.queue.value.find((each) => each.id === id);
  return (
    <section class={layoutStyles.undo} aria-label={texts.undo} ref={bar}>
      <p>{texts.undoBody(row ? customerTitle(row.customer) : texts.anonymous)}</p>
      <button
        type="button"
        class={`${controlsStyles.button} ${controlsStyles.buttonQuiet}`}
        onClick={() => void board.undo()}
      >
        {texts.undo}
      </button>
    </section>
  );
}
