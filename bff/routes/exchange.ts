import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type * as z from "zod/mini";
import { API_OPERATIONS } from "../../shared/api/operations.ts";
import { PanelCapability } from "../../shared/capability.ts";
import { Failure } from "../../shared/errors.ts";
import { MAX_ATTACHMENT_BYTES, MAX_BODY_BYTES } from "../../shared/limits.ts";
import type { ApiOperation } from "../../shared/operation.ts";
import { addressOfCaller } from "../../shared/server/client-address.ts";
import { receiveFile } from "../../shared/server/file-upload.ts";
import { parsePart, readBody } from "../../shared/server/read-body.ts";
import { readId } from "../../shared/server/read-id.ts";
import { jsonAnswer, type MoreHeaders } from "../gate/answers.ts";
import type { Handle } from "../gate/gate.ts";
import { readUpload } from "../gate/upload.ts";
import type { Parts } from "../parts.ts";
import type { RequestContext } from "../request/request-context.ts";
import type { Session } from "../sessions/sessions.ts";
import { bearerOf } from "../sessions/token.ts";
import type { Outgoing } from "../streams/chat-stream.ts";
import type { FileUpload } from "../upstream/files.ts";
import { isVerified, type Verified } from "../upstream/verified.ts";

type SessionOf<O extends ApiOperation> = O["session"] extends "required"
  ? Session
  : O["session"] extends "optional"
    ? Session | undefined
    : undefined;

type Parsed<Schema> = Schema extends z.ZodMiniType ? z.output<Schema> : undefined;

/** One request after the gate: origin, session, body and address are checked. */
export interface Exchange<O extends ApiOperation = ApiOperation> {
  readonly requestId: string;
  readonly session: SessionOf<O>;
  /** The bearer token, where a session was found by it. */
  readonly bearer: string | undefined;
  readonly body: Parsed<O["request"]>;
  readonly query: Parsed<O["query"]>;
  /** The file that the request is, where the operation takes one. */
  readonly upload: O extends { readonly upload: true } ? FileUpload : undefined;
  readonly id: string;
  readonly address: string;
  readonly userAgent: string;
  readonly lastEventId: string | undefined;
  /** Node's own response, for an answer that is not a `Response`. */
  readonly outgoing: Outgoing;
  readonly more: () => MoreHeaders;
}

export interface Route {
  readonly operation: ApiOperation;
  handle(exchange: Exchange): Response | Promise<Response>;
}

/** Joins an operation of the contract with its handler; the handler's types come from the operation. */
export function route<const O extends ApiOperation>(
  operation: O,
  handle: (exchange: Exchange<O>) => Response | Promise<Response>,
): Route {
  // The runner makes each exchange from this very operation: its session, query and body are of this type.
  return { operation, handle: (exchange) => handle(exchange as unknown as Exchange<O>) };
}

type View<O extends ApiOperation> = z.input<O["answer"]>;

/**
 * The only way to a 2xx that claims something: it takes what the service verifiably said.
 * A value made by hand is not a `Verified` and does not compile; one forced in by a cast fails here.
 */
export function respond<O extends ApiOperation>(
  { requestId, more }: Exchange<O>,
  status: 200 | 201,
  verified: Verified<View<O>>,
): Response {
  if (!isVerified(verified)) throw new TypeError("an answer that was not verified");
  return jsonAnswer(status, verified.value, requestId, more());
}

/** Joins an operation with what claims its answer. Only the fields that the operation's own answer names go out. */
export function claim<const O extends ApiOperation>(
  operation: O,
  status: 200 | 201,
  ask: (exchange: Exchange<O>) => Promise<Verified<View<O>>>,
): Route {
  const named = (value: View<O>) => operation.answer.parse(value) as View<O>;
  return route(operation, async (exchange) => respond(exchange, status, (await ask(exchange)).as(named)));
}

/** A 200 for what the BFF itself knows: its configuration and its own sessions. */
export function respondOwn<O extends ApiOperation>(exchange: Exchange<O>, body: View<O>): Response {
  return jsonAnswer(200, body, exchange.requestId, exchange.more());
}

type Offers = Pick<Session, "capabilities">;

const hasAll = ({ capabilities }: Offers, { needs = [] }: Pick<ApiOperation, "needs">) =>
  needs.every((need) => capabilities.includes(need));

/** @throws Failure not_found where the service lacks what the operation needs */
export function requireCarried(session: Offers, operation: Pick<ApiOperation, "needs">): void {
  if (!hasAll(session, operation)) throw new Failure("not_found", { detail: "Support does not offer this." });
}

/**
 * The capabilities that the panel may offer. An operation belongs to the first capability that it needs, and may need
 * more: files also need `turns` and `events`. A capability is offered only if all its operations have what they need.
 */
export function carried(session: Offers): PanelCapability[] {
  const works = (capability: PanelCapability) =>
    API_OPERATIONS.every((one: ApiOperation) => one.needs?.[0] !== capability || hasAll(session, one));
  return PanelCapability.options.filter((one) => session.capabilities.includes(one) && works(one));
}

/** Runs one route after the gate. It fails closed, and a limit's refusal costs no more than finding the session. */
export function createRunner(
  { sessions, trustedProxies, forwarded, limits, fairStart, who }: Parts,
  route: Route,
): Handle {
  const { operation } = route;
  const { request, rate } = operation;
  // Two clicks at once are one hand-off: the second one asks before the first one is answered.
  const rounds = rate === "handoffs" ? 1 : undefined;

  async function run(
    c: Context,
    context: RequestContext,
    address: string,
    file?: AsyncIterable<Uint8Array>,
  ): Promise<Response> {
    const { headers } = c.req.raw;
    const authorization = headers.get("authorization") ?? undefined;
    const isSent = operation.session !== "none" && authorization !== undefined;
    const session =
      isSent || operation.session === "required" ? await sessions.find(authorization) : undefined;
    if (session) {
      context.who = await who(session.customer);
      requireCarried(session, operation);
      const bytes = announcedBytes(headers, operation);
      if (rate) await limits.take(rate, { session, address, bytes });
    }
    const body = request === undefined ? undefined : await readBody(c.req.raw, request);
    const upload = file && (await readUpload(headers, file));
    const exchange = {
      upload,
      id: readId(c, operation),
      requestId: context.requestId,
      session,
      bearer: session && bearerOf(authorization),
      body,
      query: operation.query && parsePart(operation.query, c.req.query()),
      address,
      userAgent: headers.get("user-agent") ?? "",
      lastEventId: headers.get("last-event-id") ?? undefined,
      outgoing: (c.env as HttpBindings).outgoing,
      more: limits.headers,
    };
    // `readBody` parsed with this operation's own schema, and `session` is there where the operation requires it.
    return await route.handle(exchange as unknown as Exchange);
  }
  return (c, context) => {
    context.route = operation.path;
    const { headers } = c.req.raw;
    forwarded.see(headers);
    const forwardedFor = headers.get("x-forwarded-for") ?? undefined;
    const address = addressOfCaller(c.env, forwardedFor, trustedProxies);
    const start = () =>
      operation.upload
        ? receiveFile(c.req.raw.body, (file) => run(c, context, address, file))
        : run(c, context, address);
    return fairStart(address, start, rounds);
  };
}

function announcedBytes(headers: Headers, { upload }: ApiOperation): number {
  const most = upload ? MAX_ATTACHMENT_BYTES : MAX_BODY_BYTES;
  const announced = Number(headers.get("content-length") ?? most);
  return announced < most ? announced : most;
}
