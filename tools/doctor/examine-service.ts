import { AsyncLocalStorage } from "node:async_hooks";
import { selectRoute } from "../../bff/conversation/selection.ts";
import type { RequestContext } from "../../bff/request/request-context.ts";
import { createCallGuard } from "../../bff/upstream/call-guard.ts";
import { readCapabilities } from "../../bff/upstream/capabilities.ts";
import { createUpstreamClient, type UpstreamClient } from "../../bff/upstream/client.ts";
import { type Authorize, createAuthorize } from "../../bff/upstream/credential.ts";
import { isRefused, Refused } from "../../bff/upstream/failure.ts";
import type { Credentials } from "../../bff/upstream/read-credentials.ts";
import type { Transport } from "../../bff/upstream/transport.ts";
import { Capability } from "../../shared/capability.ts";
import type { Clock } from "../../shared/server/clock.ts";
import type { Log } from "../../shared/server/log.ts";
import { identify } from "../../shared/v1/identify.ts";
import { providerSelection } from "../../shared/v1/provider-selection.ts";
import { sessions } from "../../shared/v1/sessions.ts";
import { examineAddress } from "./examine-address.ts";
import { examineConversation, examineRefusals } from "./examine-endpoints.ts";
import { type Finding, fault, good, note, unseen } from "./finding.ts";
import { whyOf } from "./why-of.ts";

/** The only customer that examinations create at the service. */
const DOCTORS_CUSTOMER = "parley_doctor";

export interface ExamineDeps {
  readonly transport: Transport;
  readonly credentials: Credentials;
  readonly clock: Clock;
  readonly log: Log;
  /** Also starts, hands over and ends a conversation. */
  readonly withConversation: boolean;
}

const REST = unseen("The endpoints of the service that come after this fault.");

/** The feature that customers lack without each capability that this BFF can use. */
const WITHOUT: Readonly<Partial<Record<Capability, string>>> = {
  turns: "a conversation holds only the message that starts it; the composer says so",
  events: "later answers of people and agents do not arrive by themselves",
  messages: "after a reload the panel shows only what this BFF stored",
  link: "a customer who signs in during an anonymous chat starts without that conversation",
  idempotency: "nothing is retried automatically: after a lost answer customers press Retry",
};

/**
 * Makes the calls of a customer's first visit until one fails, and explains the failure. The contract has no call without
 * an effect, so one customer named `parley_doctor` stays at the service.
 */
export async function examineService(deps: ExamineDeps): Promise<readonly Finding[]> {
  const { findings, isReachable } = await examineAddress(deps);
  if (!isReachable) return [...findings, REST];
  return [...findings, ...(await examineVisit(deps, upstreamOf(deps, createAuthorize(deps.credentials))))];
}

function upstreamOf({ transport, clock, log }: ExamineDeps, authorize: Authorize): UpstreamClient {
  return createUpstreamClient({
    transport,
    authorize,
    clock,
    log,
    // Its own guard, so that an open circuit of the running BFF does not hide the service.
    guard: createCallGuard({ clock, log, jitter: () => 0, schemes: {} }),
    contexts: new AsyncLocalStorage<RequestContext>(),
  });
}

async function examineVisit(deps: ExamineDeps, upstream: UpstreamClient): Promise<Finding[]> {
  const { credentials, withConversation } = deps;
  const findings: Finding[] = [];
  const profile = { externalId: DOCTORS_CUSTOMER };
  try {
    await upstream.call(identify, { request: profile });
    findings.push(good("The service accepts the application credential."));
  } catch (error) {
    return [credentialFault(error), REST];
  }
  let token: string;
  try {
    token = (await upstream.call(sessions, { request: profile })).value.token;
    findings.push(good("The service opens sessions for this application."));
  } catch (error) {
    return [...findings, sessionFault(error, credentials), REST];
  }
  try {
    findings.push(...capabilityFindings(await readCapabilities(upstream, token)));
  } catch (error) {
    return [...findings, fault(`What the service offers can't be read: ${whyOf(error)}`), REST];
  }
  let selection: Awaited<ReturnType<typeof selectRoute>>;
  try {
    const asker = { userID: DOCTORS_CUSTOMER, locale: undefined };
    selection = await selectRoute(upstream, token, asker, {});
    findings.push(good("The service selects a route for new conversations."));
  } catch (error) {
    return [...findings, fault(`The route selection fails: ${whyOf(error)}`), REST];
  }
  const { route, providerId } = selection;
  if (providerId === undefined) findings.push(...(await examineProviderSelection(upstream, token)));
  const bare = upstreamOf(deps, () => ({}));
  findings.push(...(await examineRefusals({ upstream, bare, token, schemes: credentials.schemes })));
  if (withConversation) {
    const hasHandoff = route.humanHandoffAdapter !== undefined;
    findings.push(...(await examineConversation({ upstream, token, providerId, hasHandoff })));
  } else {
    findings.push(
      unseen(
        "What the service says to a real start, hand-off and end: npm run doctor -- --conversation makes one of each.",
      ),
    );
  }
  return findings;
}

/** The older selection, which this chat calls only where the service has no other. */
async function examineProviderSelection(upstream: UpstreamClient, token: string): Promise<Finding[]> {
  try {
    await upstream.call(providerSelection, { request: { userID: DOCTORS_CUSTOMER }, token });
    return [];
  } catch (error) {
    if (isRefused(error, 404, 405)) return [];
    return [note(`The older provider-selection, which this chat does not use here: ${whyOf(error)}`)];
  }
}

function credentialFault(error: unknown): Finding {
  if (error instanceof Refused && (error.answered === 401 || error.answered === 403)) {
    return fault(
      `The service refuses the application credential (${error.answered}). Check APPLICATION_CREDENTIAL: it may be revoked, of another workspace, or incomplete.`,
    );
  }
  return fault(`Customers can't be identified: ${whyOf(error)}`);
}

function sessionFault(error: unknown, { publicKey, publicKeyHeader }: Credentials): Finding {
  if (!(error instanceof Refused)) return fault(`No session can be opened: ${whyOf(error)}`);
  const { answered } = error;
  if (publicKey === undefined) {
    return fault(
      `The service opens no session (${answered}), and no public key is sent. Set APPLICATION_PUBLIC_KEY, and PUBLIC_KEY_HEADER if its header is not ${publicKeyHeader}.`,
    );
  }
  return fault(
    `The service opens no session (${answered}) with the public key in the header ${publicKeyHeader}. Check APPLICATION_PUBLIC_KEY, and that PUBLIC_KEY_HEADER is the header that the service reads.`,
  );
}

function capabilityFindings(has: readonly Capability[]): Finding[] {
  if (has.includes("events") && !has.includes("turns"))
    return [
      fault(
        "The service offers events without turns, so customers can't send a message. Offer both, or neither.",
      ),
    ];
  const lacking = Object.entries(WITHOUT).filter(([capability]) => !has.includes(capability as Capability));
  const others = Capability.options.filter((capability) => !has.includes(capability) && !WITHOUT[capability]);
  if (lacking.length + others.length === 0)
    return [good("The service offers everything that this chat can use.")];
  const missing = `The service does not offer ${others.join(", ")}: the panel leaves out what needs them.`;
  return [
    ...lacking.map(([capability, consequence]) =>
      note(`The service does not offer ${capability}: ${consequence}.`),
    ),
    ...(others.length > 0 ? [note(missing)] : []),
  ];
}
