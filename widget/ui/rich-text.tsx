import type { ComponentChildren } from "preact";
import { OutLink } from "./out-link.tsx";
import { type Block, parseRichText, type Span } from "./rich-text-parse.ts";

/** Shows an agent's or a person's words: the safe subset as elements, everything else as text. No HTML ever. */
export function RichText(props: { text: string }) {
  return (
    <div class="rich" dir="auto">
      {parseRichText(props.text).map(showBlock)}
    </div>
  );
}

/** Shows what a customer wrote: as it was written. */
export function PlainText(props: { text: string }) {
  return (
    <p class="plain" dir="auto">
      {props.text}
    </p>
  );
}

function showBlock(block: Block, index: number) {
  if (block.kind === "code") {
    return (
      <pre
        key={index}
        dir="ltr"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by keyboard
        tabIndex={0}
      >
        <code>{block.text}</code>
      </pre>
    );
  }
  if (block.kind === "text") return <p key={index}>{block.spans.map(showSpan)}</p>;
  const items = block.items.map((item, at) => <li key={at}>{item.map(showSpan)}</li>);
  return block.start === null ? (
    <ul key={index}>{items}</ul>
  ) : (
    <ol key={index} start={block.start}>
      {items}
    </ol>
  );
}

function showSpan(span: Span, index: number): ComponentChildren {
  if (typeof span === "string") return span;
  if (span.kind === "code") return <code key={index}>{span.text}</code>;
  const children = span.children.map(showSpan);
  if (span.kind === "bold") return <strong key={index}>{children}</strong>;
  if (span.kind === "italic") return <em key={index}>{children}</em>;
  return (
    <OutLink key={index} href={span.href}>
      {children}
    </OutLink>
  );
}
