import { createServer, type ServerResponse } from "node:http";
import { listenOnFreePort } from "../../../../../shared/testing/listen.ts";

export interface AskedVectors {
  readonly model: string;
  readonly input: readonly string[];
  readonly authorization: string | undefined;
}

/** Answers one call of an OpenAI-compatible `/embeddings`, well or badly. */
export type EmbeddingsAnswer = (response: ServerResponse, asked: AskedVectors) => void;

export interface FakeEmbeddingsServer {
  /** Without a path. */
  readonly url: string;
  close(): Promise<void>;
}

/** Vectors in another order than asked, because only their index counts. */
export function vectorsBy(vectorOf: (text: string) => readonly number[]): EmbeddingsAnswer {
  return (response, { input }) => {
    const data = input
      .map((text, index) => ({ object: "embedding", index, embedding: vectorOf(text) }))
      .reverse();
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ object: "list", data }));
  };
}

/** Starts a server on a real port that hands each call to `answer`. */
export async function startFakeEmbeddingsServer(answer: EmbeddingsAnswer): Promise<FakeEmbeddingsServer> {
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => {
      text += String(chunk);
    });
    request.on("end", () => {
      const body = JSON.parse(text) as Omit<AskedVectors, "authorization">;
      answer(response, { ...body, authorization: request.headers.authorization });
    });
  });
  return listenOnFreePort(server);
}
