import {
  type CallToolResult,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
} from "@modelcontextprotocol/client";
import { at } from "../../shared/v1/echo.ts";
import type { ActionOutcome } from "../store/actions.ts";

/** The limit of an action's text (`ActionText`). */
const MAX_TEXT = 2000;
/** Control characters, and characters that hide text or turn it around; joiners have a meaning in some scripts. */
const HIDDEN = /[^\P{C}\n\t\u200c\u200d]/gu;

/**
 * With these statuses and codes a server says that it did not run the call: a wrong request, no permission, too many. Any
 * other failure after the call left leaves open whether the tool ran.
 */
const REFUSED_STATUSES: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 406, 413, 415, 429]);
const REFUSED_CODES: ReadonlySet<number> = new Set([-32700, -32600, -32601, -32602, -32020, -32021, -32022]);

/**
 * What a tool's answer means. One that is empty, not whole or itself reports a failure proves nothing: a tool that ends in
 * an error may have done a part of it before. `isWhole`: its server did not say that more follows.
 */
export function outcomeOf(result: CallToolResult, isWhole: boolean): ActionOutcome {
  const { content, structuredContent: structured, isError } = result;
  const isEmpty = content.length === 0 && structured === undefined;
  const isDenied = isError || at(structured, "success") === false || at(structured, "ok") === false;
  const text = textOf(result);
  const status = isWhole && !isEmpty && !isDenied ? "completed" : "unknown";
  return { status, ...(text === "" ? {} : { text }) };
}

/** What a failed call means. `hasCalled`: the call has left this process. */
export function outcomeOfFailure(error: unknown, hasCalled: boolean): ActionOutcome {
  if (!hasCalled) return { status: "failed" };
  if (SdkHttpError.isInstance(error) && REFUSED_STATUSES.has(error.status)) return { status: "failed" };
  if (ProtocolError.isInstance(error) && REFUSED_CODES.has(error.code)) return { status: "failed" };
  return { status: "unknown" };
}

/** The tool's text, without what a reader could not see. Structured content stands in for it where there is none. */
export function textOf({ content, structuredContent }: CallToolResult, max = MAX_TEXT): string {
  const texts = content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const whole = texts.join("\n").trim() || (structuredContent ? JSON.stringify(structuredContent) : "");
  return Array.from(whole.replace(HIDDEN, "")).slice(0, max).join("").toWellFormed().trim();
}

/** Why a call failed, for the log: never the server's own text. */
export function causeOf(error: unknown): string {
  if (SdkHttpError.isInstance(error)) return `status ${error.status}`;
  if (ProtocolError.isInstance(error)) return `error ${error.code}`;
  if (SdkError.isInstance(error)) return error.code === SdkErrorCode.RequestTimeout ? "timeout" : error.code;
  return error instanceof Error ? error.name : "unknown";
}
