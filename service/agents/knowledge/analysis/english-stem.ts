import { stemmer } from "@orama/stemmers/english";

/** A word, and its forms and nouns that the stemmer leaves apart. */
const IRREGULAR = `
  begin began begun, buy bought, break broke broken, bring brought, build built, catch caught,
  choose chose chosen, draw drew drawn, drive drove driven, eat ate eaten, fall fell fallen, feel felt,
  fly flew flown, forget forgot forgotten, freeze froze frozen, grow grew grown, hear heard, hold held,
  hide hid hidden, keep kept, lend lent, lose lost, meet met, pay paid payment payments, prepay prepaid, run ran,
  ring rang, send sent, sell sold, seek sought, show shown, sleep slept, spend spent,
  speak spoke spoken, steal stole stolen, stick stuck, teach taught, throw threw thrown,
  understand understood, withdraw withdrew withdrawn, wake woke, win won, wear wore worn,
  write wrote written, child children, man men, woman women, wife wives, life lives, foot feet,
  tooth teeth, mouse mice, criterion criteria, cancel cancelled cancelling,
  ship shipment shipments, subscribe subscription subscriptions,
  register registration registrations, verify verification, notify notification notifications,
  arrive arrival, withdraw withdrawal withdrawals`;

const WORDS = new Map(
  IRREGULAR.split(",").flatMap((line) => {
    const [word = "", ...forms] = line.trim().split(/\s+/);
    return forms.map((form) => [form, word] as const);
  }),
);

/** The stem of an English word. "Organised" is "organized" and a "colour" is a "color"; what was "bought" is to "buy". */
export function englishStem(word: string): string {
  return stemmer(
    (WORDS.get(word) ?? word)
      .replace(/^(.{4,})is(e|ed|es|er|ing|ations?)$/, "$1iz$2")
      .replace(/(?<=col|fav|behavi|neighb|hon|lab|harb|flav)our/, "or"),
  );
}
