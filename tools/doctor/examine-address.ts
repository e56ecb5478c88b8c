import type { Transport } from "../../bff/upstream/transport.ts";
import { Failure } from "../../shared/errors.ts";
import type { Clock } from "../../shared/server/clock.ts";
import { askAddress } from "../../start/remote-service.ts";
import { type Finding, fault, good, note } from "./finding.ts";

const LIMIT_MS = 8000;

/** With a larger difference between two clocks, tokens expire before they are used. */
const MAX_SKEW_MS = 30_000;

/**
 * Examines whether the service answers and its clock agrees with ours, by one request without a credential.
 * @returns findings, and whether further requests make sense
 */
export async function examineAddress(deps: {
  readonly transport: Transport;
  readonly clock: Clock;
}): Promise<{ readonly findings: readonly Finding[]; readonly isReachable: boolean }> {
  const answer = await askAddress(deps, LIMIT_MS).catch((error: unknown) => {
    // The only failure of ours is that of its time.
    if (!(error instanceof Failure)) return connectionSentence(error);
    return `The service at BASE_URL does not answer within ${LIMIT_MS / 1000} seconds.`;
  });
  if (typeof answer === "string") return { findings: [fault(answer)], isReachable: false };
  const { status, date } = answer;
  const clock = clockFindings(date, deps.clock.now());
  if (status >= 300 && status < 400) {
    const sentence = `BASE_URL answers with a redirect (${status}). Redirects are not followed: set BASE_URL to its target.`;
    return { findings: [fault(sentence), ...clock], isReachable: false };
  }
  if (status >= 500) {
    const sentence = `The service at BASE_URL answers ${status}: it is up, but fails.`;
    return { findings: [fault(sentence), ...clock], isReachable: true };
  }
  return { findings: [good("The service at BASE_URL answers."), ...clock], isReachable: true };
}

function clockFindings(header: string | undefined, now: number): readonly Finding[] {
  const date = Date.parse(header ?? "");
  if (Number.isNaN(date)) {
    return [note("The service sends no Date header, so the clocks could not be compared.")];
  }
  const skew = now - date;
  const seconds = Math.round(Math.abs(skew) / 1000);
  if (Math.abs(skew) <= MAX_SKEW_MS) return [good("The clocks of this machine and the service agree.")];
  const how = skew > 0 ? "ahead of" : "behind";
  return [
    fault(
      `This machine's clock is ${seconds} seconds ${how} the service's. Synchronise both: otherwise tokens expire too early or start too late.`,
    ),
  ];
}

const UNTRUSTED =
  /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(GET|VERIFY)|ERR_TLS_CERT_|HOSTNAME_MISMATCH|INVALID_CA)/;

/** Explains a connection's error code to an operator. */
function connectionSentence(error: unknown): string {
  const code = codeOf(error);
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return "The host of BASE_URL is not known to DNS. Check its spelling.";
  if (code === "ECONNREFUSED") return "Nothing listens on the host and port of BASE_URL.";
  if (code === "UND_ERR_CONNECT_TIMEOUT" || code === "ETIMEDOUT" || code.endsWith("UNREACH"))
    return "The connection to BASE_URL times out. A firewall may block it.";
  if (UNTRUSTED.test(code))
    return `The certificate of BASE_URL is not trusted (${code}). Renew it, or add its issuer by NODE_EXTRA_CA_CERTS.`;
  if (code === "EPROTO" || code.startsWith("ERR_SSL_"))
    return "BASE_URL says https, but what listens there does not speak TLS.";
  return `The connection to BASE_URL breaks (${code}). If the service speaks only https, BASE_URL must say https.`;
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  if ("code" in error && typeof error.code === "string") return error.code;
  return error.cause === undefined ? "unknown" : codeOf(error.cause);
}
