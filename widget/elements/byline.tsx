import type { ComponentChildren } from "preact";
import type { Role } from "../../shared/message.ts";
import { Avatar } from "./avatar.tsx";
import styles from "./log.module.css";

/** The author of a group of messages. `initialsOf` is the author's own name, if one is known. */
export function Byline(props: {
  role: Role;
  author: string;
  initialsOf: string | undefined;
  /** For logs in which each message has its author in its accessible name. */
  isHidden?: boolean;
  children: ComponentChildren;
}) {
  return (
    <div class={styles.byline} aria-hidden={props.isHidden}>
      <Avatar role={props.role} name={props.initialsOf} />
      <span class={styles.author} dir="auto">
        {props.author}
      </span>
      {props.children}
    </div>
  );
}
