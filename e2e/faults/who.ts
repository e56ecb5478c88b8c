/**
 * Whose words a screen may show. Every text carries a sign of who wrote it: a person whom the site signed in, or one of
 * the visitors whom nobody knows, of whom there is another one after each logout.
 */
export interface Who {
  /** Who is signed in at the site now. */
  readonly signedIn: () => string | undefined;
  /** The sign of whoever sits before the browser, as a page knows it that was told just now. */
  readonly now: () => string;
  /** The marker of a visitor that no page has identified. */
  readonly visitor: () => string;
  readonly signIn: (person: string) => void;
  readonly signOut: () => void;
  /** A visitor's texts become a person's once the visitor's page has identified that person. */
  readonly link: (visitor: string, person: string) => void;
  /** Whether somebody may read what carries this sign. */
  readonly mayRead: (reader: string, sign: string) => boolean;
}

export const isVisitor = (sign: string) => /^g\d+$/.test(sign);

/** The sign in a text, if it has one. */
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
