import { createServer } from "node:http";

/**
 * A `/v1` service that answers at once and stores nothing, so that only the server in front of it is measured. It
 * echoes what a verified answer must echo. `DELAY_MS` is how long a turn takes.
 */
const AT = "2026-11-22T12:00:00.000Z";
const HEARTBEAT_MS = 15_000;
const DELAY_MS = Number(process.env["DELAY_MS"] ?? 0);
let made = 0;
const next = () => {
  made += 1;
  return made;
};

const ANSWERS: Readonly<
  Record<string, (body: Record<string, unknown>) => [status: number, answer: unknown]>
> = {
  identify: () => [200, {}],
  sessions: ({ externalId }) => [200, { token: `token-${String(externalId)}`, expiresIn: 3600 }],
  "support-selection": () => [
    200,
    { channel: "web", agentProvider: "bench", reason: "bench", ttlSeconds: 3600 },
  ],
  capabilities: () => [200, { capabilities: ["turns", "events", "messages", "idempotency"] }],
  conversations: () => [201, { conversation: { id: `c${next()}` } }],
  messages: () => [200, { messages: [], lastSeq: 0, epoch: "bench" }],
  turns: ({ clientMessageId }) => {
    const seq = next();
    return [201, { message: { id: `m${seq}`, clientMessageId, seq, at: AT } }];
  },
};

const server = createServer((request, response) => {
  const name = request.url?.split("?")[0]?.split("/").at(-1) ?? "";
  if (name === "events") {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(":\n\n");
    const beat = setInterval(() => response.write(":\n\n"), HEARTBEAT_MS);
    response.once("close", () => clearInterval(beat));
    return;
  }
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const text = Buffer.concat(chunks).toString();
    const [status, answer] = ANSWERS[name]?.(text === "" ? {} : JSON.parse(text)) ?? [200, {}];
    const send = () =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
    if (DELAY_MS > 0) setTimeout(send, DELAY_MS);
    else send();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(Number(process.env["PORT"]), "127.0.0.1");
