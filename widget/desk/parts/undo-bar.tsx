import controlsStyles from "../css/controls.module.css";
import layoutStyles from "../css/layout.module.css";
import { useDesk } from "../desk-context.ts";
import { customerTitle } from "../people.ts";
import { texts } from "../texts.ts";

/** For a few seconds after a person resolved a conversation, also while they read another one. */
export function UndoBar() {
  const { board } = useDesk();
  const id = board.undoable.value;
  if (id === undefined) return null;
  const row = board.queue.value.find((each) => each.id === id);
  return (
    <div class={layoutStyles.undo}>
      <p>{texts.undoBody(row ? customerTitle(row.customer) : texts.anonymous)}</p>
      <button
        type="button"
        class={`${controlsStyles.button} ${controlsStyles.buttonQuiet}`}
        onClick={() => void board.undo()}
      >
        {texts.undo}
      </button>
    </div>
  );
}
