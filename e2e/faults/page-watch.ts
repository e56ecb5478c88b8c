import type { BrowserContext } from "@playwright/test";
import type { Ledger } from "./ledger.ts";

/** The chat's events to the pages of one browser. */
export interface PageWatch {
  /** Ids of messages that a panel called sent. */
  readonly told: ReadonlySet<string>;
  /** Those of them that were not stored at that moment. */
  readonly falselyTold: readonly string[];
  /** Uncaught errors, in any page or frame. */
  readonly errors: readonly string[];
}

declare global {
  interface Window {
    /** Passed to each page by `watchPages`. */
    parleyTold?: (messageId: string) => Promise<void>;
  }
}

/** Runs in each page and frame before any other script: the page's own stub, as in the README. */
const listenForSent = () => {
  if (window.top !== window) return;
  type Stub = ((...args: unknown[]) => void) & { q?: unknown[] };
  const page = window as unknown as { Parley?: Stub };
  const stub: Stub = (...args: unknown[]) => {
    stub.q = stub.q ?? [];
    stub.q.push(args);
  };
  page.Parley = page.Parley ?? stub;
  page.Parley("on", "message:sent", (event: { messageId: string }) => window.parleyTold?.(event.messageId));
};

/** Records what the chat reports to every page of a browser; call it before the first page. */
export async function watchPages(context: BrowserContext, ledger: Ledger): Promise<PageWatch> {
  const told = new Set<string>();
  const falselyTold: string[] = [];
  const errors: string[] = [];
  context.on("weberror", (error) => errors.push(String(error.error())));
  await context.exposeFunction("parleyTold", (messageId: string) => {
    told.add(messageId);
    if (!ledger.hasMessage(messageId)) falselyTold.push(messageId);
  });
  await context.addInitScript(listenForSent);
  return { told, falselyTold, errors };
}
