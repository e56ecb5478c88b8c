import { once } from "node:events";
import { createInterface } from "node:readline";
import { callAs } from "../../bff/testing/call-as.ts";
import {
  createWatch,
  findLosses,
  isEverybodyBack,
  openVisitors,
  sendSteadily,
} from "../../bff/testing/steady-visitors.ts";
import { SessionState } from "../../shared/api/session.ts";
import { CSRF_HEADER, DeskQueuePage, DeskSession } from "../../shared/desk.ts";

/**
 * Customers of a chat at a public address, and a person at its desk. With the LINK of the desk's first sign-in it prints
 * `answered` after a person's answer reached a customer; then `connected` when ten streams of each session are open, and
 * at the end of its input what they lost, as JSON.
 *
 * Usage: visit-main.ts CHAT DESK SITE SESSIONS [LINK]
 */
const [chat = "", desk = "", site = "", sessions = "", link] = process.argv.slice(2);
const STREAMS_OF_A_SESSION = 10;
const SEND_EVERY_MS = 250;
const REPLY = "I have put it aside for you.";

const read = async <T>(answer: Response, schema: { parse(value: unknown): T }): Promise<T> => {
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${text}`);
  return schema.parse(JSON.parse(text));
};
const print = (line: string) => void process.stdout.write(`${line}\n`);
const anything = { parse: (value: unknown) => value };

/** Creates the desk's first account, takes the only conversation that waits, and answers it. */
async function answerAtDesk(): Promise<void> {
  let headers: Record<string, string> = { origin: desk, "content-type": "application/json" };
  const ask = (method: string, path: string, body?: object) =>
    fetch(`${desk}/desk/api${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  const token = link?.split("#setup=")[1];
  const person = { token, email: "maya@shop.example", name: "Maya", password: "a quiet harbour at dawn" };
  const signedUp = await ask("POST", "/setup", person);
  const cookie = signedUp.headers.get("set-cookie")?.split(";")[0] ?? "";
  const { csrf } = await read(signedUp, DeskSession);
  headers = { ...headers, cookie, [CSRF_HEADER]: csrf };
  const { conversations } = await read(await ask("GET", "/conversations"), DeskQueuePage);
  const path = `/conversations/${conversations[0]?.id}`;
  await read(await ask("POST", `${path}/take`), anything);
  await read(await ask("POST", `${path}/messages`, { clientMessageId: "reply-1", body: REPLY }), anything);
}

/** A customer asks, asks for a person, and reads the person's answer. */
async function chatWithPerson(): Promise<void> {
  const call = callAs(chat, site);
  const { token } = await read(await call("POST", "/api/session"), SessionState);
  const first = { clientMessageId: "question-1", body: "Do you have the blue lamp?" };
  await read(await call("POST", "/api/conversation", token, first), anything);
  await read(await call("POST", "/api/conversation/handoff", token), anything);
  await answerAtDesk();
  const { conversation } = await read(await call("POST", "/api/session", token), SessionState);
  if (!conversation?.messages.some(({ role, body }) => role === "human" && body === REPLY)) {
    throw new Error("The person's answer did not reach the customer.");
  }
}

if (link !== undefined) {
  await chatWithPerson();
  print("answered");
}

const stopping = new AbortController();
const { signal } = stopping;
const watch = createWatch();
const visitors = await openVisitors({
  url: chat,
  origin: site,
  sessions: Number(sessions),
  streamsEach: STREAMS_OF_A_SESSION,
  signal,
  onChange: watch.tell,
});
const everybody = new Map();
await watch.until(() => isEverybodyBack(visitors, everybody));
const sending = sendSteadily({
  url: chat,
  origin: site,
  visitors,
  everyMs: SEND_EVERY_MS,
  signal,
  onAcknowledged: watch.tell,
});
print("connected");

await once(createInterface(process.stdin), "close");
const sent = await sending.stop();
const losses = await findLosses(visitors, watch);
await watch.until(() => isEverybodyBack(visitors, everybody));
const streams = visitors.flatMap((visitor) => visitor.streams);
const reconnected = streams.filter(({ connects }) => connects > 1).length;
print(JSON.stringify({ sent, losses, streams: streams.length, reconnected }));
process.exit(0);
