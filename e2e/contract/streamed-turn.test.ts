import { createServer, type ServerResponse } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { listenOnFreePort } from "../../shared/testing/listen.ts";
import { ContractError } from "./answered.ts";
import { createClient, newKey } from "./client.ts";
import { DEFAULT_SCHEMES } from "./environment.ts";
import { turnOf } from "./optional.ts";
import { sendStreamedTurn } from "./streamed-turn.ts";

/** What the suite says of a turn that a service answers like this; undefined if it accepts it. */
async function verdictOn(
  answer: (response: ServerResponse, key: string) => void,
): Promise<string | undefined> {
  const key = newKey();
  const server = createServer((request, response) => {
    request.resume().on("end", () => answer(response, key));
  });
  const { url, close } = await listenOnFreePort(server);
  onTestFinished(close);
  const client = createClient({
    baseUrl: url,
    credential: "sk",
    publicKey: undefined,
    handoffSecret: undefined,
    schemes: DEFAULT_SCHEMES,
  });
  return sendStreamedTurn(client, { token: "t", id: "c1" }, turnOf(key)).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof ContractError) return error.message;
      throw error;
    },
  );
}

const NDJSON = "application/x-ndjson; charset=utf-8";
const accepted = (key: string) => ({
  type: "turn.accepted",
  message: { id: "m1", clientMessageId: key, seq: 2 },
});
const DELTA = { type: "response.delta", messageId: "a1", delta: "Hi" };
const COMPLETED = { type: "response.completed", messageId: "a1", content: { body: "Hi", format: "plain" } };
const ERROR = { type: "error", code: "away", message: "No model" };
const USAGE = { type: "usage", tokens: 3 };

const stream = (events: (key: string) => readonly object[], type = NDJSON, status = 200) =>
  verdictOn((response, key) => {
    response.writeHead(status, { "content-type": type });
    response.end(
      events(key)
        .map((event) => `${JSON.stringify(event)}\n`)
        .join(""),
    );
  });

test.each<[string, (key: string) => readonly object[]]>([
  ["an answer", () => [DELTA, COMPLETED]],
  ["what the answer cost, after it", () => [DELTA, COMPLETED, USAGE]],
  [
    "a suggestion of a person, after the answer",
    () => [COMPLETED, { type: "handoff.requested", reason: "x" }],
  ],
  ["only a question", () => [{ type: "clarification.requested", question: "Which one?" }]],
  ["an answer that fails", () => [DELTA, ERROR]],
  ["no answer, because a person was asked for", (key) => [accepted(key)]],
  ["an event of an unknown type", (key) => [accepted(key), { type: "mood" }, COMPLETED]],
])("the suite accepts a turn's stream that has %s", async (_, events) => {
  expect(await stream(events)).toBeUndefined();
});

test("the suite accepts a turn that is answered in the other form, and checks it", async () => {
  const answer = (keyOf: (key: string) => string) =>
    verdictOn((response, key) => {
      response.writeHead(201, { "content-type": "application/json" });
      response.end(JSON.stringify({ message: accepted(keyOf(key)).message }));
    });
  expect(await answer((key) => key)).toBeUndefined();
  expect(await answer(() => "another")).toMatch(/about something else/);
});

test.each<[string, () => Promise<string | undefined>, RegExp]>([
  [
    "has a media type that a BFF does not read",
    () => stream(() => [COMPLETED], "text/plain"),
    /no such stream/,
  ],
  ["has a media type of JSON", () => stream(() => [DELTA, COMPLETED], "application/json"), /not JSON/],
  ["has another status", () => stream(() => [COMPLETED], NDJSON, 202), /answered 202 .*no such stream/],
  ["is refused", () => stream(() => [], "application/json", 503), /answered 503 .*the call failed/],
  ["is about another message", () => stream(() => [accepted("another"), COMPLETED]), /\(echo\)/],
  ["confirms nothing", () => stream(() => [ERROR]), /no event of its stream confirms/],
  ["leaves an answer open", () => stream(() => [DELTA]), /began and was not completed/],
  ["leaves an answer open, and says what it cost", () => stream(() => [DELTA, USAGE]), /was not completed/],
  [
    "has a line that was cut",
    () => verdictOn((response) => response.writeHead(200, { "content-type": NDJSON }).end('{"type":"resp')),
    /is cut/,
  ],
])("the suite refuses a turn's stream that %s", async (_, verdict, expected) => {
  expect(await verdict()).toMatch(expected);
});
