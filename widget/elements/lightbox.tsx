import "./dialog.css";
import type { ReadonlySignal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Announcement } from "../client/announcer.ts";
import buttonStyles from "./button.module.css";
import { DownloadIcon } from "./file-icon.tsx";
import { CloseIcon } from "./icons.tsx";
import styles from "./lightbox.module.css";
import { LiveRegions } from "./live-regions.tsx";

interface LightboxProps {
  /** The address of the picture's bytes: in memory, or at the desk's own service. */
  readonly address: string;
  readonly name: string;
  /** Describes the picture: its name, and who sent it. */
  readonly alt: string;
  /** A language tag. */
  readonly locale: string;
  /** The names of the link that saves the picture, and of the button that closes it. */
  readonly words: { readonly download: string; readonly close: string };
  /** What is announced meanwhile. */
  readonly said: ReadonlySignal<readonly Announcement[]>;
  readonly onClose: () => void;
}

/** One picture over everything else. The browser makes the rest inert, and returns the focus at the end. */
export function Lightbox({ address, name, alt, locale, words, said, onClose }: LightboxProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isLarger, setLarger] = useState(false);
  const [isWhole, setWhole] = useState(false);
  useEffect(() => dialog.current?.showModal(), []);
  const toggle = () => setWhole(!isWhole);
  return (
    <dialog
      ref={dialog}
      class={styles.lightbox}
      aria-label={name}
      onClose={onClose}
      // Escape closes only this, and the arrow keys scroll the picture instead of the log.
      onKeyDown={(event) => event.stopPropagation()}
    >
      <div class={styles.bar}>
        <bdi class={styles.name}>{name}</bdi>
        {isLarger && (
          <button type="button" class={buttonStyles.quiet} aria-pressed={isWhole} onClick={toggle}>
            {new Intl.NumberFormat(locale, { style: "percent" }).format(1)}
          </button>
        )}
        <a class={buttonStyles.round} href={address} download={name} aria-label={words.download}>
          <DownloadIcon />
        </a>
        <button
          type="button"
          class={buttonStyles.round}
          aria-label={words.close}
          // biome-ignore lint/a11y/noAutofocus: of a dialog, the browser puts the focus there as it opens
          autoFocus
          onClick={() => dialog.current?.close()}
        >
          <CloseIcon />
        </button>
      </div>
      {/* A scrolling element must be reachable by keyboard. */}
      <div class={styles.scroller} tabIndex={isWhole ? 0 : -1}>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the button above does the same by keyboard */}
        <img
          src={address}
          alt={alt}
          data-whole={isLarger ? isWhole : undefined}
          onClick={isLarger ? toggle : undefined}
          onLoad={({ currentTarget: { naturalWidth, clientWidth } }) => setLarger(naturalWidth > clientWidth)}
        />
      </div>
      <LiveRegions said={said} />
    </dialog>
  );
}
