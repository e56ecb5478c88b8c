import type { KindContent, KindFields, MessageKind } from "./kinds.ts";

// Separate from the schemas: the panel shows these texts, and its bundle contains no schema library.

/** Any line break that a reader may show. Later lines are indented, so that none looks like another message. */
export const LINE_END = /\r\n?|[\n\v\f\u0085\u2028\u2029]/;

/** The phrases that plain text needs in its reader's language. */
export interface KindWords {
  readonly talkToPerson: string;
}

type AsText<K extends MessageKind> = (content: Readonly<KindContent<K>>, words: KindWords) => string[];

const AS_TEXT: { readonly [K in MessageKind]: AsText<K> } = {
  attachments: (files) => files.map(({ name }) => `[${name}]`),
  citations: (citations) => citations.map(({ title, url }) => (url ? `[${title}] ${url}` : `[${title}]`)),
  choices: (choices, words) => choices.map((choice) => `[${choice.label ?? words.talkToPerson}]`),
};

/** The parts of a message other than its text, one per line, for transcripts. */
export function kindsAsText(message: KindFields, words: KindWords): string[] {
  const linesOf = <K extends MessageKind>(kind: K): string[] => {
    const content = message[kind] as Readonly<KindContent<K>> | undefined;
    return content === undefined ? [] : AS_TEXT[kind](content, words);
  };
  return (Object.keys(AS_TEXT) as MessageKind[]).flatMap((kind) => linesOf(kind));
}
