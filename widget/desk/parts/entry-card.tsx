import type { ComponentChildren } from "preact";
import { texts } from "../texts.ts";
import { Mark } from "./desk-icons.tsx";

/** The one calm card of the screens before the desk. */
export function EntryCard(props: { title: string; body: string; children: ComponentChildren }) {
  return (
    <main class="entry">
      <div class="entry-card">
        <p class="entry-brand">
          <Mark />
          {texts.product}
        </p>
        <h1>{props.title}</h1>
        <p class="entry-body">{props.body}</p>
        {props.children}
      </div>
    </main>
  );
}
