import type { AftercareModel } from "../app/aftercare.ts";
import { ClockIcon } from "../elements/icons.tsx";
import { usePanel } from "./panel-context.ts";
import { Problem } from "./problem.tsx";
import { FailureStrip, Strip } from "./strips.tsx";

/** The state of an erasure. The panel itself reports its success, in every tab. */
export function ErasureStrip({ aftercare }: { aftercare: AftercareModel }) {
  const { texts } = usePanel();
  const { value } = aftercare.erasure;
  // A retry would erase the conversation that is on the screen now.
  if (aftercare.isFormerInDoubt.value)
    return (
      <FailureStrip
        text={texts.eraseNotConfirmed}
        button={texts.closeTeaser}
        onPress={() => {
          aftercare.isFormerInDoubt.value = false;
        }}
      />
    );
  if (value.kind === "asking")
    return (
      <Strip tone="quiet" icon={<ClockIcon />}>
        {texts.erasing}
      </Strip>
    );
  if (value.kind !== "failed") return null;
  return (
    <FailureStrip
      text={
        <>
          {texts.eraseNotConfirmed} <Problem failure={value.failure} />
        </>
      }
      button={texts.retry}
      onPress={() => void aftercare.erase()}
    />
  );
}
