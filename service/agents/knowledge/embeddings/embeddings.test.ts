import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createManualClock, type ManualClock } from "../../../testing/manual-clock.ts";
import { createMemoryLog, type MemoryLog } from "../../../testing/memory-log.ts";
import { createEmbeddings, type Embeddings, type VectorRanking } from "./embeddings.ts";
import {
  type AskedVectors,
  type EmbeddingsAnswer,
  type FakeEmbeddingsServer,
  startFakeEmbeddingsServer,
  vectorsBy,
} from "./testing/fake-embeddings-server.ts";

/** One dimension per subject; texts about the same subject are near each other. */
const SUBJECTS = [/tea|brew/i, /cup|mug/i, /box|parcel/i];
const vectorOf = (text: string) => SUBJECTS.map((subject) => (subject.test(text) ? 1 : 0.01));
const vectors = vectorsBy(vectorOf);
const status =
  (code: number, headers: Record<string, string> = {}): EmbeddingsAnswer =>
  (response) =>
    void response.writeHead(code, headers).end();
const body =
  (text: string): EmbeddingsAnswer =>
  (response) =>
    void response.writeHead(200, { "content-type": "application/json" }).end(text);
const hang: EmbeddingsAnswer = () => undefined;
const cut: EmbeddingsAnswer = (response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
  response.write('{"data": [{"index": 0, "embedding": [0.1, ');
  setImmediate(() => response.destroy());
};

const PASSAGES = [
  { id: "teapots#0", text: "Teapots\nTeapots are red." },
  { id: "cups#0", text: "Cups\nCups are blue." },
  { id: "boxes#0", text: "Boxes\nBoxes are brown." },
];
const SIGNAL = new AbortController().signal;

let server: FakeEmbeddingsServer;
let url: string;
let answer: EmbeddingsAnswer;
let asked: AskedVectors[];
let dataDir: string;
let stopping: AbortController;
let clock: ManualClock;
let log: MemoryLog;

beforeEach(async () => {
  [answer, asked] = [vectors, []];
  [clock, log, stopping] = [createManualClock(), createMemoryLog(), new AbortController()];
  dataDir = await mkdtemp(join(tmpdir(), "embeddings-"));
  server = await startFakeEmbeddingsServer((response, given) => {
    asked.push(given);
    answer(response, given);
  });
  url = `${server.url}/v1/embeddings`;
});

afterEach(async () => {
  stopping.abort();
  await server.close();
  await rm(dataDir, { recursive: true, force: true });
});

const open = (model = "small", questionMs = 30_000): Embeddings =>
  createEmbeddings(
    { url, model, apiKey: "sk-test" },
    { clock, log, fetch, dataDir, stopping: stopping.signal, questionMs },
  );
/** Waits until the passages have their vectors. */
async function filled(embeddings: Embeddings, passages = PASSAGES): Promise<VectorRanking> {
  const ranking = embeddings.index(passages);
  await expect.poll(() => ranking.rank("tea", SIGNAL)).toBeDefined();
  return ranking;
}

describe("KNOW4 passages ranked by vectors", () => {
  test("the nearest in meaning are first, without a word in common", async () => {
    const ranking = await filled(open());
    expect(await ranking.rank("Something to brew in?", SIGNAL)).toEqual([
      "teapots#0",
      expect.any(String),
      expect.any(String),
    ]);
    expect((await ranking.rank("My favourite mug", SIGNAL))?.[0]).toBe("cups#0");
    expect(asked[0]).toMatchObject({ model: "small", input: PASSAGES.map(({ text }) => text) });
    expect(new Set(asked.map(({ authorization }) => authorization))).toEqual(new Set(["Bearer sk-test"]));
  });

  test("secrets in a customer's question are masked", async () => {
    const ranking = await filled(open());
    await ranking.rank("Was 4111 1111 1111 1111 charged?", SIGNAL);
    expect(asked.at(-1)?.input).toEqual(["Was [card number] charged?"]);
  });

  test("each text is sent once: a restart and a changed article send only what is new", async () => {
    await filled(open());
    stopping.abort();
    stopping = new AbortController();
    asked = [];
    const changed = [...PASSAGES.slice(0, 2), { id: "boxes#0", text: "Boxes\nBoxes are white." }];
    const ranking = await filled(open(), changed);
    expect(
      asked.filter(({ input }) => input.length !== 1 || input[0] !== "tea").map(({ input }) => input),
    ).toEqual([["Boxes\nBoxes are white."]]);
    expect((await ranking.rank("parcel", SIGNAL))?.[0]).toBe("boxes#0");
  });

  test("a command that reads fewer articles leaves the stored vectors to the service", async () => {
    await filled(open());
    const deps = { clock, log, fetch, dataDir, stopping: AbortSignal.abort(), questionMs: 30_000 };
    const command = createEmbeddings({ url, model: "small", apiKey: undefined }, deps);
    expect(await command.index(PASSAGES.slice(0, 1)).rank("tea", SIGNAL)).toEqual(["teapots#0"]);
    asked = [];
    await filled(open());
    expect(asked.every(({ input }) => input.length === 1)).toBe(true);
  });

  test("vectors of another model are not used", async () => {
    await filled(open());
    asked = [];
    await filled(open("large"));
    expect(asked[0]?.input).toHaveLength(3);
  });

  test("many passages are sent in batches", async () => {
    const many = Array.from({ length: 150 }, (_, n) => ({ id: `a#${n}`, text: `Tea ${n}` }));
    await filled(open(), many);
    expect(asked.slice(0, 3).map(({ input }) => input.length)).toEqual([64, 64, 22]);
  });

  test("a passage that the endpoint refuses is left out, and the others are not", async () => {
    answer = (response, given) => {
      if (given.input.some((text) => text.startsWith("Cups"))) status(400)(response, given);
      else vectors(response, given);
    };
    const embeddings = open();
    const ranking = await filled(embeddings);
    expect(await ranking.rank("tea", SIGNAL)).toEqual(["teapots#0", "boxes#0"]);
    expect(embeddings.notes()).toEqual([
      "EMBEDDINGS_BASE_URL refuses 1 of 3 passages: only their words find them.",
    ]);
  });
});

describe("KNOW4 an endpoint that fails", () => {
  test.each([
    ["answers 429", status(429, { "retry-after": "7" }), "answers 429"],
    ["answers 500", status(500), "answers 500"],
    ["answers 401", status(401), "answers 401"],
    ["refuses every text", status(400), "answers 400"],
    ["redirects", status(302, { location: "http://127.0.0.1:1/" }), "can't be reached"],
    ["answers no JSON", body("<html>"), "answers something that is not JSON"],
    ["answers cut JSON", cut, "can't be reached"],
    ["answers too few vectors", body('{"data": []}'), "answers something else than one vector for each text"],
    [
      "answers vectors of several dimensions",
      body('{"data": [{"embedding": [1]}, {"embedding": [1, 2]}, {"embedding": [1]}]}'),
      "answers vectors of several dimensions or in no order",
    ],
    [
      "answers one vector three times",
      body('{"data": [{"index":0,"embedding":[1]},{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}'),
      "answers vectors of several dimensions or in no order",
    ],
    [
      "answers zeros",
      body('{"data": [{"embedding": [0]}, {"embedding": [0]}, {"embedding": [0]}]}'),
      "answers a vector without a direction",
    ],
  ])("that %s is noted and asked again later, and words answer meanwhile", async (_name, fault, reason) => {
    answer = fault;
    const embeddings = open();
    const ranking = embeddings.index(PASSAGES);
    await expect
      .poll(() => embeddings.notes())
      .toEqual([`Questions are answered by words only: EMBEDDINGS_BASE_URL ${reason}.`]);
    expect(await ranking.rank("tea", SIGNAL)).toBeUndefined();
    answer = vectors;
    await expect
      .poll(() => {
        clock.advance(10_000);
        return ranking.rank("tea", SIGNAL);
      })
      .toBeDefined();
    expect(embeddings.notes()).toEqual([]);
  });

  test("a Retry-After is respected", async () => {
    answer = status(429, { "retry-after": "120" });
    const embeddings = open();
    const ranking = embeddings.index(PASSAGES);
    await expect.poll(() => embeddings.notes()).toHaveLength(1);
    answer = vectors;
    clock.advance(119_000);
    expect(await ranking.rank("tea", SIGNAL)).toBeUndefined();
    expect(asked).toHaveLength(1);
    clock.advance(1_000);
    await expect.poll(() => ranking.rank("tea", SIGNAL)).toBeDefined();
  });

  test("a question's vector that does not come in time is not waited for", async () => {
    const patient = open();
    const ranking = await filled(patient);
    answer = hang;
    // The vectors of the passages are on disk by now, so only the question is sent.
    const impatient = open("small", 50).index(PASSAGES);
    const sent = asked.length;
    await expect
      .poll(async () => {
        expect(await impatient.rank("tea", SIGNAL)).toBeUndefined();
        return asked.length;
      })
      .toBeGreaterThan(sent);
    answer = vectors;
    expect(await ranking.rank("tea", SIGNAL)).toBeDefined();
  });

  test("after three failures in a row no question is sent for half a minute", async () => {
    const embeddings = open();
    const ranking = await filled(embeddings);
    answer = status(500);
    for (let n = 0; n < 3; n += 1) expect(await ranking.rank("tea", SIGNAL)).toBeUndefined();
    const sent = asked.length;
    answer = vectors;
    expect(await ranking.rank("tea", SIGNAL)).toBeUndefined();
    expect(asked).toHaveLength(sent);
    expect(embeddings.notes()).toEqual(["Questions are answered by words only: EMBEDDINGS_BASE_URL fails."]);
    clock.advance(30_000);
    expect(await ranking.rank("tea", SIGNAL)).toBeDefined();
    expect(embeddings.notes()).toEqual([]);
  });

  test("questions are sent again once the clock is set back by hours", async () => {
    const ranking = await filled(open());
    answer = status(500);
    for (let n = 0; n < 3; n += 1) expect(await ranking.rank("tea", SIGNAL)).toBeUndefined();
    answer = vectors;
    expect(await ranking.rank("tea", SIGNAL), "control").toBeUndefined();
    clock.advance(-2 * 60 * 60_000);
    expect(await ranking.rank("tea", SIGNAL)).toBeDefined();
  });

  test("a broken file of vectors leaves the words, and a note says what to do", async () => {
    await mkdir(join(dataDir, "knowledge"));
    await writeFile(join(dataDir, "knowledge", "vectors.sqlite"), "not a database".repeat(100));
    const embeddings = open();
    const ranking = embeddings.index(PASSAGES);
    await expect
      .poll(() => embeddings.notes())
      .toEqual([
        "Questions are answered by words only: DATA_DIR/knowledge/vectors.sqlite can't be used. If its rights and the space on the disk are right, delete it and restart.",
      ]);
    expect(await ranking.rank("tea", SIGNAL)).toBeUndefined();
  });

  test("a question's vector of other dimensions is not compared, and a note says what to do until one fits again", async () => {
    const embeddings = open();
    const ranking = await filled(embeddings);
    answer = body('{"data": [{"embedding": [1, 0]}]}');
    for (const question of ["tea", "cup"]) expect(await ranking.rank(question, SIGNAL)).toBeUndefined();
    const note =
      "Questions are answered by words only: EMBEDDINGS_BASE_URL answers 2 numbers for a text, and the stored vectors have 3. Delete DATA_DIR/knowledge/vectors.sqlite and restart.";
    expect(embeddings.notes()).toEqual([note]);
    expect(log.text().split(note)).toHaveLength(2);
    answer = vectors;
    expect(await ranking.rank("tea", SIGNAL)).toBeDefined();
    expect(embeddings.notes()).toEqual([]);
  });
});
