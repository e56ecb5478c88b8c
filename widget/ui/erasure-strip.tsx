import type { Aftercare } from "../app/aftercare.ts";
import { problemText } from "../app/problem-texts.ts";
import type { Texts } from "../app/texts.ts";
import buttonStyles from "./button.module.css";
import { AlertIcon, ClockIcon } from "./icons.tsx";
import stripsStyles from "./strips.module.css";
import { Strip } from "./strips.tsx";

/** How erasing the conversation stands. That it is gone is said by the panel itself, in every tab. */
export function ErasureStrip({ aftercare, texts }: { aftercare: Aftercare; texts: Texts }) {
  const stand = aftercare.erasure.value;
  if (stand.kind === "asking")
    return (
      <Strip tone="quiet" icon={<ClockIcon />}>
        {texts.erasing}
      </Strip>
    );
  if (stand.kind !== "failed") return null;
  return (
    <Strip tone="doubt" icon={<AlertIcon />}>
      <p>
        {texts.eraseNotConfirmed} {problemText(texts, stand.failure)}
      </p>
      <div class={stripsStyles.actions}>
        <button
          type="button"
          class={`${buttonStyles.quiet} ${buttonStyles.strong}`}
          onClick={() => void aftercare.erase()}
        >
          {texts.retry}
        </button>
      </div>
    </Strip>
  );
}
