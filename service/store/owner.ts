/** Whom a verified session speaks for. Every look-up carries both, so a foreign id finds nothing. */
export interface Owner {
  readonly workspaceId: string;
  readonly customerId: string;
}
