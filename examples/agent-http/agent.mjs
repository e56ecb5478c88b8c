// The smallest agent of your own that a Parley chat can have. Copy it, and replace `answerTo` by your own agent.
// Node 24, no dependency. See README.md beside it.
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";

const { AGENT_HTTP_SECRET = "", HOST = "127.0.0.1", PORT = "4100" } = process.env;
// Two secrets, with a space between them, while you replace one by the other.
const keys = AGENT_HTTP_SECRET.split(" ").map((one) => Buffer.from(one.replace(/^whsec_/, ""), "base64"));
if (keys.some((key) => key.length < 24))
  throw new Error("Set AGENT_HTTP_SECRET, for example to whsec_$(openssl rand -base64 32).");

/** Yields the events of one answer. `said` is what the customer wrote, `messages` the conversation with it. */
async function* answerTo(said, { messages, forwardedProps }) {
  if (/\b(person|human|mensch)\b/i.test(said)) {
    yield { type: "response.delta", delta: "I can ask a colleague for you." };
    yield { type: "handoff.requested", reason: "asked" };
    return;
  }
  yield { type: "response.delta", delta: `This is message ${messages.length} of our conversation. ` };
  yield { type: "response.delta", delta: `Your page is in ${forwardedProps.locale ?? "no language"}.` };
  yield { type: "citation", citationId: "hours", title: "Opening hours", url: "https://example.com/hours" };
}

/** Standard Webhooks: HMAC-SHA256 over id, time and body, not older than five minutes. */
function isOurs(headers, body) {
  const { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": signatures = "" } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(time)) <= 300)) return false;
  const given = signatures.split(" ").map((one) => Buffer.from(one.replace(/^v1,/, ""), "base64"));
  return keys.some((key) => {
    const expected = createHmac("sha256", key).update(`${id}.${time}.`).update(body).digest();
    return given.some((one) => one.length === expected.length && timingSafeEqual(one, expected));
  });
}

const server = createServer(async (request, response) => {
  const body = await buffer(request).catch(() => undefined); // The caller broke off.
  if (request.method !== "POST" || !body || !isOurs(request.headers, body))
    return response.writeHead(401).end();
  const run = JSON.parse(body);
  response.writeHead(200, { "content-type": "application/x-ndjson" });
  const send = (event) => response.write(`${JSON.stringify(event)}\n`);
  try {
    for await (const event of answerTo(run.messages.at(-1).content, run)) {
      if (response.destroyed) return; // The customer asked for a person, or closed the conversation.
      send(event);
    }
    // Without this line the answer counts as cut off.
    send({ type: "response.completed" });
  } catch (error) {
    console.error(error);
    send({ type: "error", code: "failed", message: "The agent failed." });
  }
  response.end();
});
server.listen(Number(PORT), HOST, () => console.log(`http://${HOST}:${server.address().port}/`));
process.on("SIGTERM", () => server.close());
