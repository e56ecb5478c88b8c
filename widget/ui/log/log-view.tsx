import { useLayoutEffect } from "preact/hooks";
import { useFollow } from "../../elements/follow.ts";
import { ToNewest } from "../../elements/to-newest.tsx";
import { useLostFocus } from "../../elements/use-lost-focus.ts";
import { usePanel } from "../panel-context.ts";
import { useExtras } from "../use-extras.ts";
import { LogFrame } from "./log-frame.tsx";
import { onLogKey } from "./log-keys.ts";
import { isUnseen, newestOf, useNews } from "./log-news.ts";
import { LogRows } from "./log-rows.tsx";
import { Typing } from "./typing.tsx";
import { useEarlier } from "./use-earlier.ts";
import { useStoredPlace } from "./use-stored-place.ts";
import { useWaitingAnnouncement } from "./use-waiting-announcement.ts";

/** The log. A new message renders only `LogRows` again, not this component. */
export function LogView() {
  const { chat, texts, environment, focusComposer } = usePanel();
  const follow = useFollow((content) => newestOf(content, isUnseen(chat)));
  const { place, toEnd, show, content } = follow;
  const loadEarlier = useEarlier(chat, follow.scroller, environment.setTimer);
  const { firstNew, hasNews, conversationId } = useNews(chat, place);
  const isOpen = chat.isOpen.value;
  const goBack = useStoredPlace(environment, conversationId, follow);
  useLayoutEffect(() => {
    const divider = isOpen && content.current?.querySelector("[data-new]");
    if (divider) show(divider);
    else if (!isOpen || !goBack()) toEnd();
  }, [isOpen, conversationId, content, show, toEnd]);
  useWaitingAnnouncement(chat);
  useLostFocus(focusComposer);
  const goToEnd = () => {
    toEnd();
    follow.scroller.current?.focus();
  };
  return (
    <LogFrame
      scroller={{
        ref: follow.scroller,
        onScroll: () => {
          follow.onScroll();
          loadEarlier();
        },
        onKeyDown: (event) => onLogKey(event, focusComposer),
      }}
      content={{ ref: content }}
      over={place.value !== "end" && <ToNewest hasNews={hasNews.value} texts={texts} onPress={goToEnd} />}
    >
      <LogRows firstNew={firstNew} follow={follow} loadEarlier={loadEarlier} />
      <Typing />
      <Rating />
    </LogFrame>
  );
}

/** Asks for a rating of an ended conversation. */
function Rating() {
  const more = useExtras(usePanel().chat.conversation.current.value?.status === "ended");
  return more ? <more.Rating /> : null;
}
