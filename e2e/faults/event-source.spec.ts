import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { expect, test } from "@playwright/test";
import { listenOnFreePort } from "../../shared/testing/listen.ts";
import { followAsPanel } from "./follow.ts";

const EVENTS = 6;
const BEFORE_THE_CUT = 3;
const EPOCH = "e1";

/** A log of six events. Each reader is cut after the third, refused once with 503, and then served to the end. */
async function startLog() {
  const visits = new Map<string, number>();
  const authorised = new Map<string, boolean>();
  const frame = (seq: number) => {
    const handoff = { id: `h${seq}`, status: "requested" };
    const event = { type: "handoff.requested", seq, at: "2026-11-21T00:00:00.000Z", handoff };
    return `id: ${EPOCH}:${seq}\ndata: ${JSON.stringify(event)}\n\n`;
  };
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const reader = request.url ?? "";
    if (reader === "/") {
      response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Shop</title>");
      return;
    }
    const visit = (visits.get(reader) ?? 0) + 1;
    visits.set(reader, visit);
    authorised.set(reader, request.headers.authorization !== undefined);
    if (visit === 2) {
      response.writeHead(503).end();
      return;
    }
    const after = Number(/:(\d+)$/.exec(String(request.headers["last-event-id"] ?? ""))?.[1] ?? 0);
    const last = visit === 1 ? BEFORE_THE_CUT : EVENTS;
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("retry: 20\n\n");
    for (let seq = after + 1; seq <= last; seq += 1) response.write(frame(seq));
    if (visit === 1) response.end();
  };
  const { port, close } = await listenOnFreePort(createServer(answer));
  return { url: `http://127.0.0.1:${port}`, visits, authorised, close };
}

test("the browser's own EventSource gives up on a 503, sends no token and misses the rest; ours misses nothing (control)", async ({
  page,
}) => {
  const log = await startLog();
  try {
    await page.goto(`${log.url}/`);
    const native = await page.evaluate(
      () =>
        new Promise<{ seen: string[]; state: number }>((resolve) => {
          const seen: string[] = [];
          const source = new EventSource("/native");
          source.onmessage = ({ lastEventId }) => seen.push(lastEventId);
          source.onerror = () => {
            // CONNECTING means that it retries; CLOSED is final.
            if (source.readyState === EventSource.CLOSED) resolve({ seen, state: source.readyState });
          };
        }),
    );
    expect(native).toEqual({ seen: [1, 2, 3].map((seq) => `${EPOCH}:${seq}`), state: 2 });
    const ours = await followAsPanel({
      epoch: EPOCH,
      lastSeq: EVENTS,
      connect: (lastEventId, signal) =>
        fetch(`${log.url}/ours`, {
          headers: {
            authorization: "Bearer token",
            ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
          },
          signal,
        }),
    });
    expect(ours).toEqual([1, 2, 3, 4, 5, 6]);
    expect(Object.fromEntries(log.authorised)).toEqual({ "/native": false, "/ours": true });
    // Meanwhile it has not reconnected.
    expect(log.visits.get("/native")).toBe(2);
  } finally {
    await log.close();
  }
});
