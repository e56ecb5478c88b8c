import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { expect, it, onTestFinished } from "vitest";
import { dataOf, ORIGIN, readBlocks } from "../testing/test-bff.ts";
import { settle } from "../testing/test-clock.ts";
import { completed } from "../testing/turn-lines.ts";
import { HELLO, openTurns } from "./testing/open-turns.ts";

/** Together more than the BFF buffers for one client, and less than a log takes. */
const ANSWERS = 8;
const ANSWER = "あ".repeat(15_000);

it("LESS3 a client that missed more than its buffer takes gets all of it", async () => {
  const { bff, token, line, send, snapshot } = await openTurns();
  for (let at = 0; at < ANSWERS; at += 1) {
    const message = { ...HELLO, clientMessageId: `k${at}` };
    const sent = at === 0 ? bff.post("/api/conversation", message, token) : send(message);
    await settle();
    line(at).send(completed(ANSWER));
    line(at).end();
    expect((await sent).status).toBe(201);
    await settle();
  }
  const { epoch, lastSeq } = await snapshot();
  // A real socket, because Node holds back what is written to one in the same turn of the event loop.
  const server = createAdaptorServer({ fetch: bff.bff.app.fetch, hostname: "127.0.0.1" }).listen(
    0,
    "127.0.0.1",
  );
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const leaves = new AbortController();
  onTestFinished(() => leaves.abort());
  const answer = await fetch(`http://127.0.0.1:${port}/api/conversation/events`, {
    headers: { authorization: `Bearer ${token}`, origin: ORIGIN, "last-event-id": `${epoch}:1` },
    signal: leaves.signal,
  });
  const blocks = await readBlocks(answer, lastSeq - 1);
  expect(dataOf(blocks.at(-1))).toMatchObject({ seq: lastSeq, message: { body: ANSWER } });
});
