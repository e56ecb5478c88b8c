import { demand } from "./coded-error.ts";
import { settings } from "./settings.ts";

/** The argument of `identify`. */
export interface Identity {
  readonly token?: string;
  readonly getToken?: () => unknown;
}

/** From the function that the site gave, otherwise from its server with the site's own cookies. */
let getToken = async (): Promise<unknown> => {
  const answer = await fetch(settings["identityUrl"] ?? "", { credentials: "include" });
  demand(answer.ok);
  return answer.status === 204 ? null : answer.text();
};

/** Takes how the site identifies its visitor; the site is asked for a token when the frame needs one. */
export function takeIdentity(given: Identity): void {
  demand(given.token || typeof given.getToken === "function");
  // The function first: its token can't come from a polluted prototype.
  getToken = async () => (given.getToken ? given.getToken() : given.token);
}

/** The visitor's token, as text whatever the site gave: "null" says that nobody is signed in. Rejects without one. */
export const askSite = (): Promise<string> => getToken().then((token) => `${token as string}`);
