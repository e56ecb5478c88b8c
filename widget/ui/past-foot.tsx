import type { Pages } from "../app/past-model.ts";
import { problemText } from "../app/problem-texts.ts";
import buttonStyles from "./button.module.css";
import { Dots } from "./dots.tsx";
import { usePanel } from "./panel-context.ts";
import { FailureStrip } from "./strips.tsx";

/** How the reading of pages stands: under way, failed with a way on, empty, or a button for more. */
export function PagesFoot(props: {
  pages: Pages<unknown>;
  onMore: () => void;
  /** What an empty result is called. */
  nothing?: string | undefined;
}) {
  const { pages, onMore, nothing } = props;
  const { texts } = usePanel();
  const isEmpty = !pages.isLoading && !pages.failure && !pages.hasMore && pages.items.length === 0;
  return (
    <div role="status">
      {pages.isLoading && <Dots label={texts.past} />}
      {isEmpty && nothing && <p>{nothing}</p>}
      {pages.failure && (
        <FailureStrip text={problemText(texts, pages.failure)} button={texts.retry} onPress={onMore} />
      )}
      {pages.hasMore && (
        <button type="button" class={buttonStyles.outline} onClick={onMore}>
          {texts.more}
        </button>
      )}
    </div>
  );
}
