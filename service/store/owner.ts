/** The customer whom a verified session authenticates. Every look-up uses both ids, so a foreign id finds nothing. */
export interface Owner {
  readonly workspaceId: string;
  readonly customerId: string;
}
