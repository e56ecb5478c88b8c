import type { ReadonlySignal } from "@preact/signals";
import { render } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Message } from "../../shared/message.ts";
import { authorOf } from "../app/author-name.ts";
import type { Language } from "../app/language.ts";
import { wordsOfMessage } from "../app/message-words.ts";
import type { TeaserModel } from "../app/teaser.ts";
import type { Texts } from "../app/texts.ts";
import { Avatar } from "../elements/avatar.tsx";
import buttonStyles from "../elements/button.module.css";
import { CloseIcon } from "../elements/icons.tsx";
import { wordsOf } from "./rich-text-words.ts";
import styles from "./teaser.module.css";

/** Longer than two lines of any message. */
const MAX_WORDS = 300;

/** A narrower frame shows the teaser instead of the panel. */
const PANEL_PX = 300;

export interface TeaserProps {
  readonly teaser: TeaserModel;
  readonly language: ReadonlySignal<Language>;
}

/** Renders the teaser into `document`, beside the panel. */
export function showTeaser(document: Document, props: TeaserProps): void {
  const place = document.createElement("div");
  document.body.append(place);
  render(<TeaserView {...props} />, place);
}

/** The beginning of a message, and Close. Not a live region: the launcher's name has the unread count. */
export function TeaserView({ teaser, language }: TeaserProps) {
  const message = teaser.message.value;
  const { dir, texts } = language.value;
  const box = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (!box.current) return;
    holdPanel(box.current.ownerDocument);
    // Includes the frame's border.
    teaser.stand(box.current.offsetHeight + 2, dir === "rtl" ? "left" : "right");
  }, [message, dir, texts, teaser]);
  if (!message) return null;
  const name = message.author?.name;
  return (
    <aside class={styles.teaser} aria-label={texts.newMessages} ref={box}>
      <Avatar role={message.role} name={name} />
      <div class={styles.words} id="teased">
        <p class={styles.author}>
          <bdi>{authorOf(texts, message.role, name)}</bdi>
        </p>
        <p class={styles.text} dir="auto">
          {beginningOf(message, texts)}
        </p>
      </div>
      <button
        type="button"
        class={`${buttonStyles.round} ${styles.close}`}
        aria-label={texts.closeTeaser}
        aria-describedby="teased"
        onFocus={() => teaser.hold(true)}
        onBlur={() => teaser.hold(false)}
        // A press must not move the focus of the site's page.
        onMouseDown={(event) => event.preventDefault()}
        onClick={teaser.close}
        onKeyDown={(event) => {
          if (event.key === "Escape") teaser.close();
        }}
      >
        <CloseIcon />
      </button>
    </aside>
  );
}

function beginningOf(message: Message, texts: Texts): string {
  const { attachments = [] } = message;
  return (wordsOf(wordsOfMessage(texts, message)).trim() || attachments.map(({ name }) => name).join(", "))
    .slice(0, MAX_WORDS)
    .toWellFormed();
}

/** Keeps the panel's size while the frame is small, so that nothing in it moves and the scroll position stays. */
function holdPanel(document: Document): void {
  const panel = document.querySelector<HTMLElement>("body > section");
  const view = document.defaultView;
  if (!panel || !view || view.innerWidth <= PANEL_PX) return;
  const { innerWidth, innerHeight } = view;
  Object.assign(panel.style, { inlineSize: `${innerWidth}px`, blockSize: `${innerHeight}px` });
  const release = () => {
    if (view.innerWidth <= PANEL_PX) return;
    view.removeEventListener("resize", release);
    Object.assign(panel.style, { inlineSize: "", blockSize: "" });
  };
  view.addEventListener("resize", release);
}
