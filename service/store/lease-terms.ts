/** How long a process may stay silent about an answer or an action before another one closes it. */
export interface LeaseTerms {
  /** The process. */
  readonly owner: string;
  readonly ms: number;
}
