import type { ComponentChildren } from "preact";

/** A link in a message. It opens a new tab without opener or referrer. `href` comes from `safeHref`. */
export function OutLink(props: { href: string; class?: string | undefined; children: ComponentChildren }) {
  return (
    <a class={props.class} href={props.href} target="_blank" rel="noopener noreferrer nofollow">
      {props.children}
    </a>
  );
}
