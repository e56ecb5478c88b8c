import type { Message, Role } from "../../../shared/message.ts";
import { authorOf } from "../../app/author-name.ts";
import type { Pending } from "../../app/log-state.ts";
import { wordsOfMessage } from "../../app/message-words.ts";
import type { Group } from "../../client/rows.ts";
import { Byline } from "../../elements/byline.tsx";
import type { Keep } from "../../elements/keep.ts";
import styles from "../../elements/log.module.css";
import { usePanel } from "../panel-context.ts";
import { MessageTime } from "./message-time.tsx";
import { MessageView } from "./message-view.tsx";

interface GroupProps {
  readonly group: Group<Pending>;
  /** Caches rendered messages, so that a new one does not render the earlier ones again. */
  readonly keep: Keep;
  /** The key of the customer's newest message: only this one shows "Sent" or "Seen". */
  readonly newestOwn: string | undefined;
}

/** A group's side in the panel, and the look of its bubbles (message.module.css). */
export const LOOKS: Readonly<Record<Role, { "data-side": "start" | "end"; "data-look": string }>> = {
  customer: { "data-side": "end", "data-look": "own" },
  agent: { "data-side": "start", "data-look": "bare" },
  human: { "data-side": "start", "data-look": "plain" },
  system: { "data-side": "start", "data-look": "plain" },
};

/** Messages of one author within a short time. */
export function MessageGroup({ group, keep, newestOwn }: GroupProps) {
  const { texts } = usePanel();
  const author = authorOf(texts, group.role, group.name);
  if (group.role === "system") {
    return (
      <div class={styles.note}>
        {group.items.map((item) => item.kind === "message" && <Note key={item.key} message={item.message} />)}
      </div>
    );
  }
  return (
    <div class={styles.group} data-role={group.role} {...LOOKS[group.role]}>
      {group.role !== "customer" && (
        <Byline role={group.role} author={author} initialsOf={group.name} isHidden>
          {group.at && <MessageTime at={group.at} />}
        </Byline>
      )}
      {group.items.map((item) => {
        const isNewestOwn = item.key === newestOwn;
        return keep(item, `${isNewestOwn}`, () => (
          <MessageView key={item.key} item={item} author={author} isNewestOwn={isNewestOwn} />
        ));
      })}
    </div>
  );
}

function Note({ message }: { message: Message }) {
  const { texts } = usePanel();
  return <p dir="auto">{wordsOfMessage(texts, message)}</p>;
}
