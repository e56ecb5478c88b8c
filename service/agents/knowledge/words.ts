/** Words that say nothing about the subject of a question. */
const STOP_WORDS = new Set(
  `a about above after again ago all already also always am an and any anybody anyone anything are around as at
  ask asked asking be because been before being both but by bye came can certain cannot cant come could couldnt day days did didnt do does doesnt
  doing done dont each either else even ever every few for from get gets getting give go goes going gonna gone got
  had has have havent having he hello help her here hey hi him his how i id if ill im in into is isnt it its ive just
  kind know let like long look make many may maybe me mean meaning means might more most much must my myself need needs never new no not
  nothing now of off ok okay on once one only or other our ours out over own people
  please policy put puts question questions quite re really right said same say see seem shall she should so some somebody someone
  something soon still stuff such sure take takes tell than thank thanks that thats the their them then there these
  they thing things think this those though through to today tomorrow too tried try trying two under until up us use
  used using very via want wanted wants was wasnt way we well went were what whats when where wheres which while who
  whom whose why will with within without wont would wouldnt yes yesterday yet you your yours`.split(/\s+/),
);

/** Phrases whose single words mean little. They are replaced in questions and in articles. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\bmoney back\b/g, "refund"],
  [/\bwhen (?:\w+ ){1,3}charged\b/g, "payment duedate"],
  [/\bcharged\b/g, "debited"],
  [/\b(?:see|get|have|receive) my money\b/g, "refund"],
  [/\b(?:cannot|can't|cant|can not) be (\w+)\b/g, "$1 excluded"],
  [/\b(?:is|are) not (\w+ed)\b|\b(?:isn't|isnt|aren't|arent) (\w+ed)\b/g, "$1$2 excluded"],
  [/\bget ((?:\w+ ){2,4})back\b/g, "refund $1"],
  [/\b(?:contact|reach) you\b|\bget in touch\b/g, "contact phone email"],
  [/\b(?:send|sending|sent|bring|bringing|give|giving|take|taking) (?:\w+ ){0,3}back\b/g, "return"],
  [/\b(?:log|logged|logging|sign|signed|signing)[ -]?(?:in|into|on)\b/g, "signin"],
  [/\bhow much\b/g, "cost"],
  [/\bwhere(?:'s| is| are)? (?:is )?(?:my|the) (?:order|stuff|things?)\b/g, "track parcel"],
  [/\b(?:turn(?:ed)?|show(?:ed)?) up\b/g, "arrive"],
  [/\b(?:stopped|not|no longer|doesn't|doesnt|don't|isn't|won't|wont) work(?:ing)?\b/g, "faulty"],
  [/\be-mail/g, "email"],
  [/\bpick(?:ed|ing)? up\b/g, "pickup"],
  [/\bdrop(?:ped|ping)?[ -]off\b/g, "dropoff"],
];

/** Synonyms in a shop: an article uses one of them, customers use any. */
const SYNONYMS: readonly (readonly string[])[] = [
  ["delivery", "deliver", "shipping", "ship", "shipment", "postage", "dispatch"],
  ["parcel", "package", "packet"],
  ["arrive", "deliver", "receive", "come"],
  ["refund", "reimburse", "reimbursement"],
  ["return", "returnable"],
  ["damaged", "broken", "broke", "smashed", "cracked", "shattered", "chipped", "dented", "scratched", "torn"],
  ["faulty", "defective", "fault", "defect", "malfunction"],
  ["cost", "price", "fee", "charge", "expensive"],
  ["pay", "payment", "paid"],
  ["discount", "coupon", "voucher", "promo", "promotion", "promotional"],
  ["account", "profile"],
  ["signin", "login", "sign"],
  ["open", "opening", "hours"],
  ["closed", "opening"],
  ["warranty", "guarantee", "guaranteed"],
  ["repair", "fix", "mend"],
  ["clean", "wash", "launder", "cleaning"],
  ["exchange", "swap"],
  ["phone", "telephone", "call", "ring"],
  ["contact", "reach"],
  ["invoice", "receipt", "bill"],
  ["track", "tracking", "trace", "locate"],
  ["abroad", "overseas", "international", "internationally", "foreign"],
  ["delete", "erase", "remove"],
  ["late", "delayed", "delay", "overdue"],
  ["missing", "lost", "lose"],
  ["instalment", "installment", "klarna"],
  ["declined", "rejected", "refused", "fails", "failed"],
  ["showroom", "store"],
  ["sofa", "couch"],
  ["usa", "america", "states"],
  ["uk", "britain", "kingdom"],
  ["eu", "europe", "european", "germany", "france", "spain", "italy", "netherlands"],
  ["human", "person"],
  ["gdpr", "privacy"],
  ["cup", "mug"],
  ["euro", "dollar", "currency", "sterling"],
];

const groups = new Map<string, Set<string>>();
for (const group of SYNONYMS) {
  const stems = group.map(stem);
  for (const one of stems) groups.set(one, new Set([...(groups.get(one) ?? []), ...stems]));
}

/** Returns the words of a text as the index stores them: lower case, stemmed, without stop words. */
export function indexWords(text: string): string[] {
  return words(text).filter(isMeaningful).map(stem);
}

/** The words of each line that was ever looked at: the articles stay the same. */
const known = new WeakMap<{ readonly plain: string }, readonly string[]>();

/** Returns `indexWords` of a line of an article. */
export function wordsOf(line: { readonly plain: string }): readonly string[] {
  const words = known.get(line) ?? indexWords(line.plain);
  known.set(line, words);
  return words;
}

/** Returns the stemmed words of a question, each once, in order, at most 40. */
export function questionWords(text: string): string[] {
  return [...new Set(indexWords(text))].slice(0, 40);
}

/** Returns a stem and its synonyms, the stem first. */
export function sameMeaning(word: string): string[] {
  return [...new Set([word, ...(groups.get(word) ?? [])])];
}

function words(text: string): string[] {
  let plain = text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\u2018\u2019]/g, "'");
  for (const [phrase, word] of PHRASES) plain = plain.replace(phrase, ` ${word} `);
  plain = plain.replace(/'/g, "");
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

function isMeaningful(word: string): boolean {
  return word.length > 1 && word.length <= 40 && !STOP_WORDS.has(word);
}

/** Removes English endings. It is coarse, which is enough because questions and articles both go through it. */
export function stem(word: string): string {
  let base = word;
  if (base.length > 4) base = base.replace(/ies$/, "y").replace(/(s|sh|ch|x|z)es$/, "$1");
  if (base.length > 3) base = base.replace(/([^su])s$/, "$1");
  if (base.length > 5) base = base.replace(/^(.*[aeiouy].*?)(?:ing|ed)$/, "$1");
  if (base.length > 3) base = base.replace(/([bdfglmnprst])\1$/, "$1");
  if (base.length > 4) base = base.replace(/e$/, "");
  return base;
}
