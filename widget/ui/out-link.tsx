import type { ComponentChildren } from "preact";

/** A link out of a message: a new tab that knows nothing of this one. `href` comes from `safeHref`. */
export function OutLink(props: { href: string; class?: string | undefined; children: ComponentChildren }) {
  return (
    <a class={props.class} href={props.href} target="_blank" rel="noopener noreferrer nofollow">
      {props.children}
    </a>
  );
}
