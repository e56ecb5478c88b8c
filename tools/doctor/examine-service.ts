import { createRequestContexts } from "../../bff/request-context.ts";
import type { Random } from "../../bff/sessions/token.ts";
import { createCallGuard } from "../../bff/upstream/call-guard.ts";
import { readCapabilities } from "../../bff/upstream/capabilities.ts";
import { createUpstreamClient, type UpstreamClient } from "../../bff/upstream/client.ts";
import { createAuthorize } from "../../bff/upstream/credential.ts";
import { identifyCustomer, openServiceSession } from "../../bff/upstream/customers.ts";
import { Refused } from "../../bff/upstream/failure.ts";
import type { Credentials } from "../../bff/upstream/read-credentials.ts";
import { selectRoute } from "../../bff/upstream/selection.ts";
import type { Transport } from "../../bff/upstream/transport.ts";
import type { Finding } from "../../shared/api/doctor.ts";
import type { Capability } from "../../shared/capability.ts";
import { Failure } from "../../shared/errors.ts";
import type { Clock } from "../../shared/server/clock.ts";
import type { Log } from "../../shared/server/log.ts";
import { examineAddress } from "./examine-address.ts";
import { fault, good, note } from "./finding.ts";

/** The one customer that examinations leave at the service, always the same. */
export const DOCTORS_CUSTOMER = "parley_doctor";

export interface ExamineDeps {
  readonly transport: Transport;
  readonly credentials: Credentials;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** What is missing without each capability that this BFF can use. */
const WITHOUT: Readonly<Partial<Record<Capability, string>>> = {
  turns: "a conversation takes one message, which goes with its start; the composer says so",
  events: "what a person or an agent writes later does not arrive by itself",
  messages: "after a reload the history is what this BFF remembers of it",
  idempotency: "nothing is tried again unseen: where an answer was lost, customers press Retry",
};

/**
 * Goes the way of a customer's first visit, as far as it leads, and says what stopped it. The contract has no call without
 * an effect: one customer named `parley_doctor` is left at the service.
 */
export async function examineService(deps: ExamineDeps): Promise<readonly Finding[]> {
  const { findings, isReachable } = await examineAddress(deps);
  if (!isReachable) return findings;
  return [...findings, ...(await examineWay(deps, upstreamOf(deps)))];
}

function upstreamOf({ transport, credentials, clock, random, log }: ExamineDeps): UpstreamClient {
  return createUpstreamClient({
    transport,
    authorize: createAuthorize(credentials),
    clock,
    log,
    // Its own: what others have found out about the service is no evidence here.
    guard: createCallGuard({ clock, log, jitter: () => 0, provenByApplication: () => false }),
    contexts: createRequestContexts(random),
  });
}

async function examineWay({ credentials }: ExamineDeps, upstream: UpstreamClient): Promise<Finding[]> {
  const findings: Finding[] = [];
  const profile = { externalId: DOCTORS_CUSTOMER };
  try {
    await identifyCustomer(upstream, profile);
    findings.push(good("credential", "The service accepts the application credential."));
  } catch (error) {
    return [credentialFault(error)];
  }
  let token: string;
  try {
    token = (await openServiceSession(upstream, profile)).value.token;
    findings.push(good("public-key", "The service opens sessions for this application."));
  } catch (error) {
    return [...findings, sessionFault(error, credentials)];
  }
  try {
    findings.push(...capabilityFindings(await readCapabilities(upstream, token)));
    const question = { serviceToken: token, externalId: DOCTORS_CUSTOMER, locale: undefined, wish: {} };
    await selectRoute(upstream, question);
    findings.push(good("service", "The service says who answers new conversations."));
  } catch (error) {
    findings.push(fault("service", `A first visit fails at the service: ${whyOf(error)}`));
  }
  return findings;
}

function credentialFault(error: unknown): Finding {
  if (error instanceof Refused && (error.answered === 401 || error.answered === 403)) {
    return fault(
      "credential",
      `The service refuses the application credential (${error.answered}). Check APPLICATION_CREDENTIAL: it may be revoked, of another workspace, or copied in part.`,
    );
  }
  return fault("service", `Customers can't be made known to the service: ${whyOf(error)}`);
}

function sessionFault(error: unknown, { publicKey, publicKeyHeader }: Credentials): Finding {
  if (!(error instanceof Refused)) return fault("service", `No session can be opened: ${whyOf(error)}`);
  const { answered } = error;
  if (publicKey === undefined) {
    return fault(
      "public-key",
      `The service opens no session (${answered}), and no public key is sent. Set APPLICATION_PUBLIC_KEY, and PUBLIC_KEY_HEADER where its header is not ${publicKeyHeader}.`,
    );
  }
  return fault(
    "public-key",
    `The service opens no session (${answered}) with the public key in the header ${publicKeyHeader}. Check APPLICATION_PUBLIC_KEY, and that PUBLIC_KEY_HEADER is the header that the service reads.`,
  );
}

function capabilityFindings(has: readonly Capability[]): Finding[] {
  const lacking = Object.entries(WITHOUT).filter(([capability]) => !has.includes(capability as Capability));
  if (lacking.length === 0) return [good("capabilities", "The service can do all that this chat can use.")];
  return lacking.map(([capability, consequence]) =>
    note("capabilities", `The service does not offer ${capability}: ${consequence}.`),
  );
}

/** A failure in words for an operator; never the service's own. */
function whyOf(error: unknown): string {
  if (error instanceof Refused) return `it answered ${error.answered}.`;
  if (!(error instanceof Failure)) return "an unexpected error.";
  const why = typeof error.cause === "string" ? ` (${error.cause})` : "";
  if (error.code === "not_confirmed") return `its answer is no verified result${why}.`;
  if (error.code === "storage_full") return "it has no room left (507).";
  if (error.code === "support_timeout") return "it does not answer in time.";
  return `it does not work now${why}.`;
}
