/** The fragment of the window's address that names a customer's page, so that it survives a reload. */
export function customerAddress(id: string): string {
  return `#${new URLSearchParams({ customer: id })}`;
}

/** The customer that a fragment names, if it names one. */
export function parseCustomerAddress(fragment: string): string | undefined {
  return new URLSearchParams(fragment.replace(/^#/, "")).get("customer") || undefined;
}
