import type { ComponentChildren } from "preact";
import controlsStyles from "../css/controls.module.css";
import { failureText } from "../failure-texts.ts";
import { hasFailed, type Reading } from "../reading.ts";
import { texts } from "../texts.ts";

/** Why something could not be read, and the button that reads it again; nothing unless reading failed. */
export function ReadFailed(props: {
  reading: Reading;
  sentence: string;
  /** Instead of a banner's look. */
  class?: string | undefined;
  onTryAgain: () => void;
  children?: ComponentChildren;
}) {
  if (!hasFailed(props.reading)) return null;
  return (
    <div class={props.class ?? `${controlsStyles.banner} ${controlsStyles.bannerDoubt}`} role="alert">
      <p>
        {props.sentence} {failureText(props.reading)}
      </p>
      <button type="button" class={controlsStyles.button} onClick={props.onTryAgain}>
        {texts.tryAgain}
      </button>
      {props.children}
    </div>
  );
}
