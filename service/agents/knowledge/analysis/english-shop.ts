import { stemmer } from "@orama/stemmers/english";

/** Phrases whose single words mean little. They are replaced in questions and in articles. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\bmoney back\b/g, "refund"],
  [/\bunited states\b/g, "usa"],
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
  [/\bwhere(?:'s| is| are)? (?:is )?(?:my|the) (?:order|parcel|package|stuff|things?)\b/g, "track parcel"],
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
  ["monday", "tuesday", "wednesday", "thursday", "friday", "weekday"],
  ["gdpr", "privacy"],
  ["cup", "mug"],
  ["euro", "dollar", "currency", "sterling"],
];

const groups = new Map<string, Set<string>>();
for (const group of SYNONYMS) {
  const stems = group.map((word) => stemmer(word));
  for (const one of stems) groups.set(one, new Set([...(groups.get(one) ?? []), ...stems]));
}

/** Replaces phrases in an English text whose single words mean little. */
export function withoutPhrases(text: string): string {
  let plain = text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\u2018\u2019]/g, "'");
  for (const [phrase, word] of PHRASES) plain = plain.replace(phrase, ` ${word} `);
  return plain;
}

/** The other stems with which an English shop says the same. */
export function synonymsOf(stem: string): readonly string[] {
  return [...(groups.get(stem) ?? [])].filter((one) => one !== stem);
}
