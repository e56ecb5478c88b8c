import type * as z from "zod/mini";
import { Failure } from "../../shared/errors.ts";
import type { readMessages } from "../../shared/v1/messages.ts";

type Page = z.output<typeof readMessages.answer>;

/**
 * Reads a transcript after `after` page by page, where the service gives pages. `read` gives the page after a seq.
 *
 * @throws Failure `not_confirmed` when a page leads nowhere, or the log was replaced between two pages
 */
export async function readPages(read: (after: number) => Promise<Page>, after: number): Promise<Page> {
  let all = await read(after);
  for (let before = after; all.nextAfter !== undefined; ) {
    const { nextAfter, epoch, messages, marks } = all;
    if (nextAfter <= before) throw new Failure("not_confirmed", { cause: "a page that leads nowhere" });
    const page = await read(nextAfter);
    if (page.epoch !== epoch) throw new Failure("not_confirmed", { cause: "a log replaced between pages" });
    all = {
      ...page,
      messages: [...messages, ...page.messages],
      ...(marks || page.marks ? { marks: [...(marks ?? []), ...(page.marks ?? [])] } : {}),
    };
    before = nextAfter;
  }
  return all;
}
