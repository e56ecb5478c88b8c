/** The fragment of the window's address that names a customer's page, so that it survives a reload. */
export function customerAddress(id: string): string {
  return `#${new URLSearchParams({ customer: id })}`;
}

/** The customer that a fragment names, if it names one. */
export function parseCustomerAddress(fragment: string): string | undefined {
  return new URLSearchParams(fragment.replace(/^#/, "")).get("customer") || undefined;
}

/** The end of a fragment that names the customer's details beside a conversation. */
export const DETAILS = "&details";

/** The conversation of `#conversation=ID`, or undefined. */
export function parseConversationFragment(fragment: string): string | undefined {
  return new URLSearchParams(fragment.replace(/^#/, "")).get("conversation") || undefined;
}

/** The page of `#people` or `#account`, or undefined. */
export function parsePageFragment(fragment: string): "people" | "account" | undefined {
  return (["people", "account"] as const).find((page) => fragment === `#${page}`);
}

/** The one-time token of `#setup=TOKEN`, or undefined. */
export function parseSetUpFragment(fragment: string): string | undefined {
  return new URLSearchParams(fragment.replace(/^#/, "")).get("setup") || undefined;
}
