import type * as z from "zod/mini";
import { Failure } from "../../shared/errors.ts";
import { DEFAULT_PAGE_BEFORE, type readMessages } from "../../shared/v1/messages.ts";
import type { Options } from "./client.ts";
import { isRefused } from "./failure.ts";

type Page = z.output<typeof readMessages.answer>;
type ReadPage = (page: Options["page"]) => Promise<Page>;

/** After the end of every log. */
const END = Number.MAX_SAFE_INTEGER;

/**
 * Reads the newest page of a transcript before `before`, or of all of it. A service that gives pages from the beginning
 * only, or none, is read to its end, and the page is cut from that.
 *
 * @throws Failure `not_confirmed` when a page leads nowhere, or the log was replaced between two pages; what `read` throws
 */
export async function readPageBefore(read: ReadPage, before = END): Promise<Page> {
  const first = await read({ before }).catch((error: unknown) => {
    // A service may refuse a parameter that it does not know.
    if (isRefused(error, 400)) return read({});
    throw error;
  });
  return first.nextBefore === undefined ? pageOf(await readOn(read, first), before) : first;
}

/** The newest messages of a log before `before`, with the marks and actions among them. Pure. */
export function pageOf<T extends Pick<Page, "messages" | "marks" | "actions">>(
  log: T,
  before = END,
): T & { readonly nextBefore?: number | undefined } {
  const earlier = log.messages.filter(({ seq }) => seq < before);
  const messages = earlier.slice(-DEFAULT_PAGE_BEFORE);
  const start = messages.length < earlier.length ? (messages[0]?.seq ?? 0) : 0;
  const isHere = ({ seq }: { readonly seq: number }) => seq >= start && seq < before;
  const marks = log.marks?.filter(isHere);
  const actions = log.actions?.filter(isHere);
  return { ...log, messages, marks, actions, nextBefore: start > 0 ? start : undefined };
}

/** A transcript from a page of it to its end. */
async function readOn(read: ReadPage, first: Page): Promise<Page> {
  let page = first;
  const pages = [first];
  for (let before = 0; page.nextAfter !== undefined; ) {
    const { nextAfter } = page;
    if (nextAfter <= before) throw new Failure("not_confirmed", { cause: "a page that leads nowhere" });
    page = await read({ after: nextAfter });
    if (page.epoch !== first.epoch) {
      throw new Failure("not_confirmed", { cause: "a log replaced between pages" });
    }
    pages.push(page);
    before = nextAfter;
  }
  const messages = pages.flatMap((one) => one.messages);
  const marks = first.marks && pages.flatMap((one) => one.marks ?? []);
  const actions = pages.flatMap((one) => one.actions ?? []);
  return { ...page, messages, marks, actions: actions.length > 0 ? actions : undefined };
}
