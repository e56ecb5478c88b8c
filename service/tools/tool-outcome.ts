import {
  type CallToolResult,
  InsufficientScopeError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
} from "@modelcontextprotocol/client";
import { jsonOf } from "../../shared/json.ts";
import { kindsNamedIn } from "../guard/stated-kinds.ts";
import { kindOfTool } from "../guard/tool-kind.ts";
import type { ActionOutcome } from "../store/actions.ts";
import { HIDDEN, wordsOf } from "./action-card.ts";
import { type Asked, namesDone, proofOf } from "./done-proof.ts";
import { saysDoubt } from "./doubt.ts";
import { ANY_VALUE, type DoneSign } from "./mcp-config.ts";
import { speaksOfOther } from "./other-act.ts";
import { isMessage, isStatus, MAX_TEXT, SUCCESS } from "./result-fields.ts";

const ALL_HIDDEN = new RegExp(HIDDEN, "gu");

/**
 * With these statuses and codes a server says that it did not run the call: a wrong request, no permission, too many. Any
 * other failure after the call left leaves open whether the tool ran.
 */
const REFUSED_STATUSES: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 406, 413, 415, 429]);
const REFUSED_CODES: ReadonlySet<number> = new Set([-32700, -32600, -32601, -32602, -32020, -32021, -32022]);

/**
 * The largest result that is judged, in characters of its texts and of JSON, without pictures. Its words are compared with those of thirteen languages: 0.5 MB
 * took a second, in which every other request waited.
 */
const MAX_JUDGED = 20_000;

/**
 * Classifies a tool's answer. An answer that is empty, not whole, or itself reports a failure proves nothing, because a
 * tool that fails may have done a part before. `isWhole`: the server did not say that more follows. `asked`: what the tool
 * was given, which it may repeat, and what it does. `done`: what the owner says that a result has where it was done; then
 * nothing else of it is judged.
 */
export function outcomeOf(
  result: CallToolResult,
  isWhole: boolean,
  asked: Asked,
  done?: DoneSign,
): ActionOutcome {
  const { isError } = result;
  const text = textOf(result);
  const isDone = done ? saysDone(valuesOf(result), done) : isProven(result, asked, text);
  const status = isWhole && !isError && isDone ? "completed" : "unknown";
  return { status, ...(text === "" ? {} : { text }) };
}

/** The parts of a result. Each text is read whole and by itself: one may be JSON beside another. */
const valuesOf = (result: CallToolResult) => [result.structuredContent, ...textsOf(result).map(readText)];
const textsOf = ({ content }: CallToolResult) => content.flatMap((part) => textIn(part) ?? []).map(visible);

function isProven(result: CallToolResult, asked: Asked, text: string): boolean {
  const parts = valuesOf(result);
  if (JSON.stringify(parts).length > MAX_JUDGED) return false;
  const values = parts.map((value) => withoutInput(value, asked.input));
  const proof = proofOf(values, asked, withoutInput(unescaped(text), asked.input));
  const judged = { ...asked, isNamed: proof === "named" };
  return proof !== undefined && !values.some((value) => leavesOpen(value, judged));
}

interface Judged extends Asked {
  /** The result names the tool's own kind of action as done. */
  readonly isNamed: boolean;
}

/** The statuses that say "done". Any other may mean "not", "not yet" or "in part". */
const DONE =
  /^(?:done|ok|okay|success|succeeded|successful|complete|completed|cancell?ed|refunded|created|updated|changed|deleted|removed|added|sent|booked|confirmed|closed|resolved|shipped|delivered|paid|200|201|204)$/i;
/** The status that something has before it is cancelled, refunded or removed. */
const BEFORE = /^(?:confirmed|paid|booked|shipped|delivered)$/i;
const UNDOING: ReadonlySet<Asked["kind"]> = new Set(["cancel", "refund", "remove"]);
/** The status of something that was just created. */
const BEGINS = /^(?:new|open)$/i;
/** Beside one of these a `state` of two capital letters is a part of an address. */
const PLACE = /^(?:city|town|country|zip|zip_?code|post(?:al)?_?code)$/i;
/** How many things were changed. */
const COUNT =
  /^(?:updated|created|cancell?ed|changed|modified|affected)$|^(?:rows|records|items)_?(?:affected|changed|updated|deleted)$|(?:changed|updated|cancell?ed|deleted|modified|affected)_?(?:count|rows|records|items)$/i;
/** Of a tool that does something else this is a mark of the record. */
const DELETED = /^(?:delet|remov|eras)ed$/i;
/** Such a field that is true says that nothing was done yet. */
const TRIAL =
  /^(?:is_?)?(?:dry_?run|preview|eligible)$|^simulat|^(?:requires|needs)_?(?:action|approv|confirm|review|verif)/i;
/** Such a field is read like a sentence. */
const READ = /^(?:code|\w*state)$/i;
/** Something that such a field says is a failure, whatever it says; `error: false` is none. */
const FAULT = /^(?:is_?|has_?)?(?:error|fault|fail(?:ed|ure)|exception|problem)s?(.*)|\w(?:_e|E)rrors?$/i;
/** Beside a proof, false says of such a field that it was not done, as of the tool's own words. */
const ACCEPTED = /succe|accept|commit|authori[sz]/i;
/** Such a field of the tool's kind, as words, is empty if nothing was done: `"refund_id": null`. */
const OF_ACT = /^\p{L}+(?: (?:id|at|number|reference))?$/iu;
const HTTP_CODE = /^(?:http_?|response_?|result_?)?code$/i;

/**
 * Whether a result says that the tool did not do it, or not yet, or leaves it open; nested values too. Beside a status, a
 * field that repeats the input's says nothing. `isRead`: texts of any field are read, because no status says "done".
 */
function leavesOpen(value: unknown, asked: Judged, isRead = true): boolean {
  if (typeof value === "string") return isRead && saysDoubt(value);
  if (Array.isArray(value)) return value.some((each) => leavesOpen(each, asked, isRead));
  if (typeof value !== "object" || value === null) return isRead && value === false;
  const fields = Object.entries(value);
  const isAddress = fields.some(([key]) => PLACE.test(key));
  const isOwnStatus = (key: string, said: unknown) =>
    isStatus(key) && typeof said !== "object" && !(isAddress && key === "state" && isRegion(said));
  const isCount = (key: string) => COUNT.test(key) || (asked.kind === "remove" && DELETED.test(key));
  const counts = fields.flatMap(([key, said]) => (isCount(key) && typeof said === "number" ? said : []));
  if (counts.length > 0 && counts.every((count) => count === 0)) return true;
  const hasStatus = fields.some(([key, said]) => SUCCESS.test(key) || isOwnStatus(key, said));
  return fields.some(([key, said]) => {
    if (SUCCESS.test(key)) return said !== true && said !== "true" && !DONE.test(String(said));
    if (isOwnStatus(key, said)) return !saysStatusDone(key, said, asked);
    if (hasStatus && asked.input[key] === said) return false;
    if (isOfAct(key, asked.kind) && (!isThere(said) || isPastTime(key, said, asked))) return true;
    const fault = FAULT.exec(key);
    if (said === false || said === "false" || said === "no") {
      const isNoFault = fault !== null && !fault[1];
      return !isNoFault && (!asked.isNamed || ACCEPTED.test(key) || kindsNamedIn(key).length > 0);
    }
    if (fault) return ![undefined, null, "", 0].includes(said) && !isEmptyList(said);
    if (said === true || said === "true") return TRIAL.test(key) || saysDoubt(wordsOf(key));
    if (HTTP_CODE.test(key) && /^[45]\d\d$/.test(String(said))) return true;
    return leavesOpen(said, asked, isMessage(key) || READ.test(key) || (isRead && !hasStatus));
  });
}

/** The time of an earlier act of that kind: `refunded_at` of last year, as a repeated call is often answered. */
const isPastTime = (key: string, said: unknown, { since, input }: Asked) =>
  /at$/i.test(key) && typeof said === "string" && speaksOfOther(said, since, input);

const isOfAct = (key: string, kind: Asked["kind"]) =>
  kind !== undefined &&
  ((OF_ACT.test(wordsOf(key)) && kindOfTool(key) === kind) || (kind === "create" && key === "id"));

function saysStatusDone(key: string, said: unknown, asked: Judged): boolean {
  if (namesDone(key, said, asked)) return true;
  if (UNDOING.has(asked.kind) && !asked.isNamed && BEFORE.test(String(said))) return false;
  if (DONE.test(String(said))) return true;
  return asked.isNamed && asked.kind === "create" && BEGINS.test(String(said));
}

/** Whether a part of a result has what `sign` names, and no other part has something else in one of these fields. */
function saysDone(values: readonly unknown[], sign: DoneSign): boolean {
  const named = values.filter(
    (value) =>
      typeof value === "object" &&
      value !== null &&
      Object.keys(sign).some((key) => Object.hasOwn(value, key)),
  );
  return named.length > 0 && named.every((value) => hasSign(value, sign));
}

function hasSign(value: unknown, sign: DoneSign): boolean {
  if (typeof value !== "object" || value === null) return false;
  const fields = new Map<string, unknown>(Object.entries(value));
  return Object.entries(sign).every(([key, wanted]) => {
    const said = fields.get(key);
    if (wanted === ANY_VALUE) return isThere(said);
    if (typeof wanted !== "object") return said === wanted;
    if (!Array.isArray(wanted)) return hasSign(said, wanted);
    return wanted.length === 0 ? isEmptyList(said) : wanted.some((each) => each === said);
  });
}

/** Whether a value says anything: `0`, `""`, `[]` and `{"id": null}` don't. */
function isThere(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).some(isThere);
  return typeof value === "string" ? value.trim() !== "" : Boolean(value);
}

/** The object or list that a text is in JSON, or else the text. */
function readText(text: string): unknown {
  const json = jsonOf(text);
  return typeof json === "object" && json !== null ? json : text;
}

/** JSON with its letters as they are read: some encoders write "é" as \u00e9, and "/" as \/. */
function unescaped(json: string): string {
  return json.replace(/\\(?:u([0-9a-f]{4})|\/)/gi, (_, hex?: string) =>
    hex ? String.fromCharCode(Number.parseInt(hex, 16)) : "/",
  );
}

/** A text without the sentences of the input; any other value as it is. */
function withoutInput<T>(value: T, input: Asked["input"]): T | string {
  if (typeof value !== "string") return value;
  const sentences = Object.values(input).filter((said) => typeof said === "string" && isSentence(said));
  return sentences.reduce<string>((rest, said) => rest.replaceAll(String(said), "…"), value);
}

const isRegion = (value: unknown) => typeof value === "string" && /^[A-Z]{2}$/.test(value);
/** Shorter texts, such as "pending", are no sentence: the tool may say them by itself. */
const isSentence = (text: string) => text.trim().split(/\s+/).length >= 3;
const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

/** Classifies a failed call. `hasCalled`: the call has left this process. */
export function outcomeOfFailure(error: unknown, hasCalled: boolean): ActionOutcome {
  if (!hasCalled) return { status: "failed" };
  // How the library reports one kind of 403.
  if (InsufficientScopeError.isInstance(error)) return { status: "failed" };
  if (SdkHttpError.isInstance(error) && REFUSED_STATUSES.has(error.status)) return { status: "failed" };
  if (ProtocolError.isInstance(error) && REFUSED_CODES.has(error.code)) return { status: "failed" };
  return { status: "unknown" };
}

const SPARING: ReadonlySet<string> = new Set([
  SdkErrorCode.RequestTimeout,
  SdkErrorCode.InvalidResult,
  SdkErrorCode.UnsupportedResultType,
]);

/** Whether only this call failed, so that others on the same connection go on. */
export function sparesConnection(error: unknown): boolean {
  return ProtocolError.isInstance(error) || (SdkError.isInstance(error) && SPARING.has(error.code));
}

/**
 * The tool's text without invisible characters; structured content if there is no text. Of 1 MB only the beginning is
 * looked at.
 */
export function textOf({ content, structuredContent }: CallToolResult, max = MAX_TEXT): string {
  const texts = content.flatMap((part) => textIn(part)?.slice(0, 4 * max) ?? []).join("\n");
  const shown = visible(texts.slice(0, 4 * max)).trim();
  const whole =
    shown || (structuredContent ? visible(JSON.stringify(structuredContent).slice(0, 4 * max)) : "");
  return Array.from(whole).slice(0, max).join("").toWellFormed().trim();
}

const visible = (text: string) => text.replace(ALL_HIDDEN, "");

/** The text of a part: its own, or that of an embedded resource. A page for a browser is not read: it counts as empty. */
function textIn(part: CallToolResult["content"][number]): string | undefined {
  if (part.type === "text") return part.text;
  if (part.type !== "resource" || !("text" in part.resource)) return undefined;
  return part.resource.mimeType?.startsWith("text/html") ? "" : part.resource.text;
}

const SDK_CAUSES: Readonly<Record<string, string>> = {
  [SdkErrorCode.RequestTimeout]: "timeout",
  // No revision of the protocol could be agreed on, because nothing answered.
  [SdkErrorCode.EraNegotiationFailed]: "unreachable",
};

/** Why a call failed, for the log: never the server's own text. */
export function causeOf(error: unknown): string {
  if (SdkHttpError.isInstance(error)) return `status ${error.status}`;
  if (ProtocolError.isInstance(error)) return `error ${error.code}`;
  if (SdkError.isInstance(error)) return SDK_CAUSES[error.code] ?? error.code;
  return error instanceof Error ? error.name : "unknown";
}
