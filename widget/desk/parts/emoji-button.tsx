import { useEffect, useRef, useState } from "preact/hooks";
import buttonStyles from "../../elements/button.module.css";
import { icon } from "../../elements/icon.tsx";
import { useDesk } from "../desk-context.ts";
import { texts } from "../texts.ts";
import { EmojiPicker } from "./emoji-picker.tsx";

const FaceIcon = icon("M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18M8 14q4 4 8 0M9 9.5h.01M15 9.5h.01");

/** Opens the emoji. `onPick` gets the one that was chosen; then, and on Escape, they close. */
export function EmojiButton({ onPick }: { onPick: (emoji: string) => void }) {
  const { board } = useDesk();
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    void board.readEmoji();
    const closeOutside = ({ target }: Event) => {
      if (!place.current?.contains(target as Node)) setOpen(false);
    };
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      setOpen(false);
      button.current?.focus();
    };
    const node = place.current;
    document.addEventListener("pointerdown", closeOutside);
    node?.addEventListener("keydown", closeOnEscape);
    return () => {
      document.removeEventListener("pointerdown", closeOutside);
      node?.removeEventListener("keydown", closeOnEscape);
    };
  }, [isOpen, board]);
  return (
    <div ref={place}>
      <button
        ref={button}
        type="button"
        class={buttonStyles.round}
        aria-label={texts.emoji}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <FaceIcon />
      </button>
      {isOpen && (
        <EmojiPicker
          onPick={(emoji) => {
            setOpen(false);
            onPick(emoji);
          }}
        />
      )}
    </div>
  );
}
