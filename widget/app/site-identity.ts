import { signal } from "@preact/signals";
import { parseJson } from "../client/parse-json.ts";
import { ChatFailure } from "./chat-failure.ts";
import type { Environment } from "./environment.ts";

/** The time limit for the site's token; after this the site counts as failed. */
const LIMIT_MS = 10_000;

export type SiteIdentity = ReturnType<typeof createSiteIdentity>;

/** Asks the site, through the loader, who its visitor is. Each token is for one use. */
export function createSiteIdentity({ setTimer }: Pick<Environment, "setTimer">) {
  let settle = (_given?: string): void => undefined;
  let ask = (_id: number): void => undefined;
  let ids = 0;
  return {
    /** Whether the site said that it knows its visitors. */
    isVouching: signal(false),
    connect(loader: (id: number) => void): void {
      ask = loader;
    },
    /** The site's answer as text; undefined if it failed. Answers to older requests are ignored. */
    answer(id: number, given?: string): void {
      if (id === ids) settle(given);
    },
    /** A token, or undefined: nobody is signed in there. Throws a ChatFailure `identity_unavailable` if the site failed. */
    async getToken(): Promise<string | undefined> {
      const given = await new Promise<string | undefined>((resolve) => {
        const answer = (text?: string) => {
          cancel();
          resolve(text);
        };
        const cancel = setTimer(answer, LIMIT_MS);
        settle = answer;
        ids += 1;
        ask(ids);
      });
      return tokenIn(given);
    },
  };
}

/** The token of an answer: `{"token": …}` or the token itself; undefined for null in the place of either. */
function tokenIn(given = ""): string | undefined {
  const read = parseJson(given);
  if (read === null) return undefined;
  const token = read === undefined ? given.trim() : (read as { token?: unknown }).token;
  if (token === null) return undefined;
  // The BFF takes no longer token; a longer answer may be the page of a sign-in to which the site's address redirected.
  if (typeof token === "string" && /^(?!undefined$)[\s\S]{1,8192}$/.test(token)) return token;
  throw new ChatFailure("identity_unavailable");
}
