import type { Pages } from "../app/past-model.ts";
import { problemText } from "../app/problem-texts.ts";
import buttonStyles from "./button.module.css";
import { Dots } from "./dots.tsx";
import { usePanel } from "./panel-context.ts";
import { FailureStrip } from "./strips.tsx";

/** The state of loading pages: loading, failed with Retry, empty, or a button for more. */
export function PagesFoot(props: {
  pages: Pages<unknown>;
  onMore: () => void;
  /** The text for an empty result. */
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
