/** The fragment of the window's address that names a customer's page, so that it survives a reload. */
export function customerAddress(id: string): string {
  return `#${new URLSearchParams({ customer: id })}`;
}

/** The customer of `#customer=ID`, or undefined. */
export function parseCustomerFragment(fragment: string): string | undefined {
  return read(fragment, "customer");
}

/** The end of a fragment that names the customer's details beside a conversation. */
export const DETAILS = "&details";

/** The conversation of `#conversation=ID`, or undefined. */
export function parseConversationFragment(fragment: string): string | undefined {
  return read(fragment, "conversation");
}

/** The pages whose address is their name. */
const NAMED_PAGES = ["people", "account"] as const;
export type NamedPage = (typeof NAMED_PAGES)[number];

/** The page of `#people` or `#account`, or undefined. */
export function parsePageFragment(fragment: string): NamedPage | undefined {
  return NAMED_PAGES.find((page) => fragment === `#${page}`);
}

/** The one-time token of `#setup=TOKEN`, or undefined. */
export function parseSetUpFragment(fragment: string): string | undefined {
  return read(fragment, "setup");
}

function read(fragment: string, name: string): string | undefined {
  return new URLSearchParams(fragment.replace(/^#/, "")).get(name) || undefined;
}
