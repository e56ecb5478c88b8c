/**
 * The authors whose messages a screen may show. Every text contains a marker of its author: a person whom the site
 * signed in, or an anonymous visitor; each logout makes a new visitor.
 */
export interface Who {
  /** The person who is signed in at the site now. */
  readonly signedIn: () => string | undefined;
  /** The marker of the person in front of the browser, as a page knows it that was just informed. */
  readonly now: () => string;
  /** The marker of a visitor that no page has identified. */
  readonly visitor: () => string;
  readonly signIn: (person: string) => void;
  readonly signOut: () => void;
  /** A visitor's texts become a person's once the visitor's page has identified that person. */
  readonly link: (visitor: string, person: string) => void;
  /** Whether this person may read texts with this marker. */
  readonly mayRead: (reader: string, sign: string) => boolean;
}

export const isVisitor = (sign: string) => /^g\d+$/.test(sign);

/** The marker in a text, if it has one. */
export const signOf = (body: string) => / (g\d+|[a-z]+) writes /.exec(body)?.[1];

export function createWho(): Who {
  let generation = 0;
  let person: string | undefined;
  const links = new Map<string, Set<string>>();
  return {
    signedIn: () => person,
    visitor: () => `g${generation}`,
    now: () => person ?? `g${generation}`,
    signIn(next) {
      person = next;
    },
    signOut() {
      person = undefined;
      generation += 1;
    },
    link(visitor, linked) {
      links.set(linked, (links.get(linked) ?? new Set()).add(visitor));
    },
    mayRead: (reader, sign) => reader === sign || (links.get(reader)?.has(sign) ?? false),
  };
}
