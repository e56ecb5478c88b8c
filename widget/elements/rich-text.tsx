import type { ComponentChildren } from "preact";
import { CodeBlock, type CopyTexts } from "./code-block.tsx";
import { isEmojiOnly } from "./emoji.ts";
import { OutLink } from "./out-link.tsx";
import styles from "./rich-text.module.css";
import { type Block, type List, parseRichText } from "./rich-text-blocks.ts";
import type { Span } from "./rich-text-spans.ts";

/**
 * Renders an agent's or a person's message: the safe subset as elements, everything else as text. Never HTML. Each block
 * has its own direction. With `copyTexts` a code block has a copy button.
 */
export function RichText({ text, copyTexts }: { text: string; copyTexts?: CopyTexts | undefined }) {
  if (isEmojiOnly(text)) return <PlainText text={text} />;
  return (
    <div class={styles.rich}>
      {parseRichText(text).map((block, index) => showBlock(block, index, copyTexts))}
    </div>
  );
}

/** Renders a customer's message literally. */
export function PlainText(props: { text: string }) {
  const isEmoji = isEmojiOnly(props.text) || undefined;
  return (
    <p class={isEmoji ? `${styles.plain} ${styles.emoji}` : styles.plain} data-emoji={isEmoji} dir="auto">
      {props.text}
    </p>
  );
}

function showBlock(block: Block, index: number, copyTexts: CopyTexts | undefined) {
  switch (block.kind) {
    case "code":
      return <CodeBlock key={index} text={block.text} texts={copyTexts} />;
    case "text":
      return (
        <p key={index} dir="auto">
          {block.spans.map(showSpan)}
        </p>
      );
    case "list":
      return showList(block, index);
    case "table":
      return showTable(block, index);
  }
}

function showList({ start, items }: List, index: number) {
  const shown = items.map(({ spans, below }, at) => (
    <li key={at}>
      {spans.map(showSpan)}
      {below && showList(below, -1)}
    </li>
  ));
  return start === null ? (
    <ul key={index} dir="auto">
      {shown}
    </ul>
  ) : (
    <ol key={index} start={start} dir="auto">
      {shown}
    </ol>
  );
}

/** A wide table scrolls by itself, and by keyboard. */
function showTable({ rows: [head = [], ...rows], aligns }: Block & { kind: "table" }, index: number) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <div key={index} class={styles.table} tabIndex={0}>
      <table dir="auto">
        <thead>
          <tr>
            {head.map((cell, at) => (
              <th key={at} scope="col" data-align={aligns[at]}>
                {cell.map(showSpan)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, line) => (
            <tr key={line}>
              {row.map((cell, at) => (
                <td key={at} data-align={aligns[at]}>
                  {cell.map(showSpan)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
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
