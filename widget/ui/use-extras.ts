import { useEffect } from "preact/hooks";
import type { ExtrasPart } from "./extras.ts";
import { usePanel } from "./panel-context.ts";

/** Loads the part of files, rating and transcript once it is wanted; undefined until then. */
export function useExtras(isWanted: boolean): ExtrasPart | undefined {
  const { extras } = usePanel();
  useEffect(() => {
    if (isWanted) extras.want();
  }, [isWanted, extras]);
  return isWanted ? extras.it.value : undefined;
}
