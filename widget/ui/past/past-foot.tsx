import { useLayoutEffect, useRef } from "preact/hooks";
import type { Pages } from "../../app/past-model.ts";
import { AlertIcon } from "../../elements/icons.tsx";
import { Dots } from "../log/dots.tsx";
import { usePanel } from "../panel-context.ts";
import { Problem } from "../problem.tsx";
import prominentStyles from "../prominent-button.module.css";
import { Strip } from "../strips.tsx";

/** The state of loading pages, and a button for the next page or the failed one. */
export function PagesFoot(props: {
  pages: Pages<unknown>;
  onMore: () => void;
  /** The text for an empty result. */
  nothing?: string | undefined;
}) {
  const { pages, onMore, nothing } = props;
  const { texts } = usePanel();
  const isEmpty = !pages.isLoading && !pages.hasMore && pages.items.length === 0;
  const place = useRef<HTMLDivElement>(null);
  const isPressed = useRef(false);
  useLayoutEffect(() => {
    if (pages.hasMore || !isPressed.current) return;
    isPressed.current = false;
    // After the last page the pressed button is gone. Outside of the dialog the focus can't be seen.
    if (document.activeElement === document.body) place.current?.focus();
  }, [pages.hasMore]);
  return (
    <>
      <div role="status" ref={place} tabIndex={-1}>
        {pages.isLoading && <Dots label={texts.past} />}
        {isEmpty && nothing && <p>{nothing}</p>}
        {pages.failure && (
          <Strip tone="doubt" icon={<AlertIcon />}>
            <Problem failure={pages.failure} />
          </Strip>
        )}
      </div>
      {pages.hasMore && (
        <button
          type="button"
          class={prominentStyles.outline}
          aria-disabled={pages.isLoading}
          onClick={() => {
            isPressed.current = true;
            if (!pages.isLoading) onMore();
          }}
        >
          {pages.failure ? texts.retry : texts.morePast}
        </button>
      )}
    </>
  );
}
