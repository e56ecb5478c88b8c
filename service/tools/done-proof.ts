import type { ActionKind } from "../guard/claim-phrases.ts";
import { CLAUSE_END, isQuestion } from "../guard/plain-words.ts";
import { kindsNamedIn, kindsStatedIn } from "../guard/stated-kinds.ts";
import { wordsOf } from "./action-card.ts";
import { speaksOfOther } from "./other-act.ts";
import { isMessage, isStatus, SUCCESS } from "./result-fields.ts";

/** What counts for a tool whose name does not tell what it does: these are hardly ever only a step on the way. */
const ENDS: readonly ActionKind[] = ["cancel", "refund", "change", "remove"];
/** Kinds that are often only a step on the way: "OTP sent", "case opened", "team informed". */
const STEPS: readonly ActionKind[] = ["send", "create", "handoff"];

/** That the call succeeded, whatever it was about. An order that is "confirmed" or "paid" says nothing about its refund. */
const SUCCEEDED = /^(?:done|ok|okay|success(?:ful|fully)?|succeeded|completed?|200|201|204)[.!]?$/i;
/** "Cancellation successful." Adverbs such as "successfully" belong to another verb. */
const SUCCESSFUL =
  /(?<!\p{L})(?:success(?:ful)?|succeeded|erfolgreich|réussie?s?|exitos[oa]s?|riuscit[oa]|bem-sucedid[oa]|geslaagd|успешно)[.!]?$|成功了?[。！]?$/iu;
const AFTER_SENTENCE = /(?<=[.!?])(?=\s)|(?<=[。！？\n])/u;
/** Somebody agreed that it may be done, or another than the tool did something: "changed by the airline". */
const OF_OTHERS =
  /(?<!\p{L})(?:(?:approv|authori[sz])ed|genehmigt|freigegeben|approuvée?s?|validée?s?|apro[bv]ad[oa]s?|approvat[oaie]|by (?:the|your|our) )/iu;
/** Such a field says what somebody wants or may see: "requested_status", "is_refunded_visible". */
const WANTED = /next|target|request|desired|expected|default|visible/i;

/** What a tool was given, and what it does by the verb of its name. */
export interface Asked {
  readonly input: Readonly<Record<string, unknown>>;
  readonly kind?: ActionKind | undefined;
  /** Days before it are past, as "2026-11-27". */
  readonly since?: string | undefined;
}

/**
 * `named`: a field or a sentence says that the tool's own kind of action was done. `succeeded`: the call succeeded, which
 * is enough only if the tool says nothing else in words.
 */
type Proof = "named" | "succeeded" | undefined;

/**
 * What the parts of a result prove. What repeats the input proves nothing, and neither does what is not in `shown`, the
 * text that is stored with the action: nobody could see why it counts as done. A sentence that states the tool's kind of
 * action of another time or thing makes every other proof doubtful, shown or not: "This order was already refunded."
 */
export function proofOf(values: readonly unknown[], asked: Asked, shown: string): Proof {
  const fields = values.flatMap((value) => fieldsOf(value, asked));
  const shownFields = fields.filter(([key, said]) => isShown(key, said, shown));
  const texts = values.filter(isText);
  const messages = values.flatMap((value) => messagesIn(value, asked));
  const shownMessages = new Set(shownFields.flatMap(([key, said]) => (isMessage(key) ? [said] : [])));
  const stated = [
    ...texts.flatMap((text) => statedIn(text, asked, shown)),
    ...messages.flatMap((said) => statedIn(said, asked, shownMessages.has(said) ? said : "")),
  ];
  if (stated.includes("other")) return undefined;
  if (stated.includes("named") || shownFields.some(([key, said]) => namesDone(key, said, asked)))
    return "named";
  // A message that is not shown proves nothing, but "success" beside it is no proof: it may say that only a step was taken.
  if (texts.length > 0 || messages.length > 0) return stated.find((each) => each === "succeeded");
  const hasSucceeded = shownFields.some(
    ([key, said]) =>
      (SUCCESS.test(key) || isStatus(key)) && (String(said) === "true" || SUCCEEDED.test(String(said))),
  );
  return hasSucceeded ? "succeeded" : undefined;
}

type Field = readonly [key: string, said: unknown];

/** The fields of an object, and of those in it. Those of another time or thing prove nothing, nor does one of several. */
function fieldsOf(value: unknown, asked: Asked): readonly Field[] {
  if (typeof value !== "object" || value === null || (Array.isArray(value) && value.length > 1)) return [];
  return Object.entries(value)
    .filter(([key, said]) => asked.input[key] !== said && !WANTED.test(key) && !speaksOfOther(wordsOf(key)))
    .flatMap(([key, said]) => [[key, said] as const, ...fieldsOf(said, asked)]);
}

/** The sentences anywhere in a value, also where no field proves anything. Leaves out what repeats the input. */
function messagesIn(value: unknown, asked: Asked, isRead = false): readonly string[] {
  if (isText(value)) return isRead ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((each) => messagesIn(each, asked, isRead));
  return Object.entries(value).flatMap(([key, said]) =>
    asked.input[key] === said ? [] : messagesIn(said, asked, isMessage(key)),
  );
}

/** Whether a text has a field with a simple value in JSON, as programs usually write it. */
function isShown(key: string, said: unknown, text: string): boolean {
  if (typeof said === "object") return false;
  const [name, value] = [JSON.stringify(key), JSON.stringify(said)];
  return text.includes(`${name}:${value}`) || text.includes(`${name}: ${value}`);
}

/**
 * Whether a field says that the tool's kind of action was done: `"status": "cancelled"`, `"cancelled": true`. A number may
 * count anything, and a time may be that of an earlier action.
 */
export function namesDone(key: string, said: unknown, { kind }: Asked): boolean {
  // An order that is paid is not refunded.
  const isPaid = (words: string) => kind === "refund" && /^(?:is[ _]?)?paid/i.test(words);
  if (isStatus(key)) return typeof said === "string" && !isPaid(said) && isOwn(kindsNamedIn(said), kind);
  // Without accents, "change" is a French participle for `kindsNamedIn`.
  const isNamed = isOwn(kindsNamedIn(key), kind) && isOwn(kindsStatedIn(wordsOf(key)), kind);
  return said === true && !isPaid(key) && isNamed;
}

type Stated = Proof | "other";

/**
 * What the sentences of a text prove. A proof has to be whole in `shown`. A question proves nothing, but the
 * clauses before its last one can make a proof doubtful: "This order was already refunded, anything else?"
 */
function statedIn(text: string, { kind, input, since }: Asked, shown: string): readonly Stated[] {
  const sentences = new Set(text.split(AFTER_SENTENCE).map((each) => each.trim()));
  return Array.from(sentences, (sentence): Stated => {
    const isAsked = isQuestion(sentence);
    const statement = isAsked ? beforeLastClause(sentence) : sentence;
    const kinds = kindsStatedIn(statement);
    if (speaksOfOther(statement, since, input)) return isOwn(kinds, kind) ? "other" : undefined;
    if (isAsked || OF_OTHERS.test(sentence) || !shown.includes(sentence)) return undefined;
    if (SUCCEEDED.test(sentence)) return "succeeded";
    if (isOwn(kinds, kind)) return "named";
    const isStep = kinds.some((one) => one !== kind && STEPS.includes(one));
    return !isStep && (kinds.includes("done") || SUCCESSFUL.test(sentence)) ? "succeeded" : undefined;
  });
}

function beforeLastClause(question: string): string {
  const ends = Array.from(question.matchAll(CLAUSE_END));
  const last = ends.findLast(({ index }) => /[\p{L}\p{N}]/u.test(question.slice(index)));
  return question.slice(0, last?.index ?? 0);
}

const isText = (value: unknown): value is string => typeof value === "string" && value.trim() !== "";

function isOwn(kinds: readonly ActionKind[], kind: ActionKind | undefined): boolean {
  return kinds.some((one) => (kind ? one === kind : ENDS.includes(one)));
}
