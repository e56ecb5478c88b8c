// The smallest service that a Parley chat can have: the seven endpoints of docs/contract.md, in memory.
// Copy it, and replace the three maps by your own storage and `callAPerson` by your own way to reach people.
// Node 24, no dependency. See README.md beside it.
import { randomUUID, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const { APPLICATION_CREDENTIAL, HANDOFF_SECRET, HOST = "127.0.0.1", PORT = "4000" } = process.env;
if (!APPLICATION_CREDENTIAL)
  throw new Error("Set APPLICATION_CREDENTIAL, for example to $(openssl rand -hex 24).");

const SESSION_SECONDS = 900;
const MAX_BODY_BYTES = 416 * 1024; // A hand-off may carry a transcript of 100,000 characters, of up to four bytes each.

const customers = new Map(); // externalId -> profile
const sessions = new Map(); // token -> { externalId, endsAt }
const conversations = new Map(); // id -> { id, externalId, subject, status, handoff }

/** Answer 2xx only if it really happened: the chat repeats it to customers. */
class Refusal extends Error {
  constructor(status, sentence) {
    super(sentence);
    this.status = status;
  }
}

// Endpoint 1. Creates or updates a customer. `externalId` is the only key; `email` never is.
function identify({ body }) {
  const { externalId, ...profile } = body;
  requireText(externalId, "externalId");
  customers.set(externalId, { ...customers.get(externalId), ...profile, externalId });
  return [200, { externalId }];
}

// Endpoint 2. Opens a session. From now on its token says who the customer is, and nothing else does.
function openSession(call) {
  identify(call);
  const now = Date.now();
  for (const [token, { endsAt }] of sessions) if (endsAt <= now) sessions.delete(token);
  const token = randomUUID() + randomUUID();
  sessions.set(token, { externalId: call.body.externalId, endsAt: now + SESSION_SECONDS * 1000 });
  return [201, { token, expiresIn: SESSION_SECONDS }];
}

// Endpoint 3. The older selection: one provider is channel and agent at once.
function selectProvider() {
  return [200, { provider: "team", reason: "There is one team.", ttlSeconds: 60 }];
}

// Endpoint 4. Selects who answers. A request for a target that does not exist gets the default, and a reason that says
// so.
function selectSupport({ body }) {
  const isOther = body.agentProvider !== undefined && body.agentProvider !== "team";
  return [
    200,
    {
      channel: "web",
      agentProvider: "team",
      humanHandoffAdapter: "team",
      reason: isOther ? "There is no such agent here." : "There is one team.",
      ttlSeconds: 60,
    },
  ];
}

// Endpoint 5. Starts a conversation. With only the seven, its subject is the customer's whole first message.
function start({ body, externalId }) {
  if (body.subject !== undefined) requireText(body.subject, "subject", 10_000);
  const conversation = {
    id: randomUUID(),
    externalId,
    subject: body.subject,
    status: "open",
    handoff: undefined,
  };
  conversations.set(conversation.id, conversation);
  const { id, subject, status } = conversation;
  return [201, { conversation: { id, subject, status } }];
}

// Endpoint 6. Asks for a person. Prepare the target first, and answer 2xx only once a person will really see it.
async function handOff({ body, externalId }) {
  const conversation = ownConversation(body.conversationId, externalId);
  if (conversation.status !== "open") throw new Refusal(409, "This conversation has ended.");
  const isNew = conversation.handoff === undefined;
  if (isNew) {
    await callAPerson(conversation, body);
    conversation.handoff = { id: randomUUID(), conversationId: conversation.id, status: "requested" };
  }
  return [isNew ? 201 : 200, { handoff: conversation.handoff }];
}

// Endpoint 7. Ends a conversation; a second time changes nothing.
function end({ id, externalId }) {
  const conversation = ownConversation(id, externalId);
  conversation.status = "ended";
  return [200, { conversation: { id, status: "ended" } }];
}

/** Your own way to people: a mail, a ticket, a message to a channel. Throw if it did not work. */
async function callAPerson({ id, externalId, subject }, { reason }) {
  console.log(JSON.stringify({ event: "a person is asked for", id, externalId, subject, reason }));
}

/** A foreign conversation and a missing one get the same answer. */
function ownConversation(id, externalId) {
  const conversation = conversations.get(id);
  if (conversation?.externalId !== externalId) throw new Refusal(404, "There is no such conversation.");
  return conversation;
}

function requireText(value, name, most = 256) {
  if (typeof value !== "string" || value === "" || value.length > most)
    throw new Refusal(400, `${name} must be a text of 1 to ${most} characters.`);
}

// Method and address, who may call it, and what carries it out.
const ENDPOINTS = [
  ["POST", /^\/v1\/customers\/identify$/, asApplication, identify],
  ["POST", /^\/v1\/sdk\/sessions$/, asApplication, openSession],
  ["POST", /^\/v1\/sdk\/provider-selection$/, asCustomer, selectProvider],
  ["POST", /^\/v1\/sdk\/support-selection$/, asCustomer, selectSupport],
  ["POST", /^\/v1\/support\/conversations$/, asCustomer, start],
  ["POST", /^\/v1\/support\/handoffs$/, asServerOfCustomer, handOff],
  ["DELETE", /^\/v1\/support\/conversations\/(?<id>[\w-]{1,128})$/, asCustomer, end],
];

function asApplication(headers) {
  if (!isSame(bearerOf(headers), APPLICATION_CREDENTIAL))
    throw new Refusal(401, "The credential is not valid.");
}

function asCustomer(headers) {
  const session = sessions.get(bearerOf(headers));
  if (!session || session.endsAt <= Date.now())
    throw new Refusal(401, "The session is not valid, or is over.");
  return session.externalId;
}

function asServerOfCustomer(headers) {
  if (HANDOFF_SECRET && !isSame(headers["x-handoff-secret"] ?? "", HANDOFF_SECRET))
    throw new Refusal(401, "The hand-off secret is not valid.");
  return asCustomer(headers);
}

const bearerOf = ({ authorization = "" }) => authorization.match(/^Bearer (\S+)$/i)?.[1] ?? "";

function isSame(given, secret) {
  const [a, b] = [Buffer.from(given), Buffer.from(secret)];
  return a.length === b.length && timingSafeEqual(a, b);
}

async function readBody(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new Refusal(413, "The body is too large.");
    chunks.push(chunk);
  }
  if (size === 0) return {};
  try {
    const body = JSON.parse(Buffer.concat(chunks).toString());
    if (typeof body === "object" && body !== null && !Array.isArray(body)) return body;
  } catch {
    // Refused below, like everything else that is no JSON object.
  }
  throw new Refusal(400, "The body must be a JSON object.");
}

async function answer(request) {
  const { pathname } = new URL(request.url, "http://service");
  for (const [method, path, authenticate, carryOut] of ENDPOINTS) {
    const match = path.exec(pathname);
    if (!match || method !== request.method) continue;
    const externalId = authenticate(request.headers);
    return carryOut({ body: await readBody(request), externalId, ...match.groups });
  }
  throw new Refusal(404, "There is nothing at this address.");
}

const server = createServer(async (request, response) => {
  try {
    const [status, body] = await answer(request);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  } catch (error) {
    if (!(error instanceof Refusal)) console.error(error);
    const status = error instanceof Refusal ? error.status : 500;
    const detail =
      error instanceof Refusal ? error.message : "The service failed. Nothing is known to have happened.";
    const body = JSON.stringify({ title: "Refused", status, detail });
    response.writeHead(status, { "content-type": "application/problem+json" }).end(body);
  }
});
server.listen(Number(PORT), HOST, () => console.log(`http://${HOST}:${server.address().port}`));
process.on("SIGTERM", () => server.close());
