import { expect, test } from "vitest";
import { createEnvironmentReader } from "../../../../shared/server/environment.ts";
import { readEmbeddings } from "./embeddings-config.ts";

const read = (env: Record<string, string>) => {
  const reader = createEnvironmentReader(env, () => "sk-file\n");
  return { endpoint: readEmbeddings(reader), faults: reader.faults.map(({ name }) => name) };
};

test.each([
  ["https://api.openai.com/v1", "https://api.openai.com/v1/embeddings"],
  ["http://127.0.0.1:11434", "http://127.0.0.1:11434/v1/embeddings"],
  ["http://127.0.0.1:11434/v1/", "http://127.0.0.1:11434/v1/embeddings"],
  [
    "https://x.example/openai/deployments/small/embeddings?api-version=1",
    "https://x.example/openai/deployments/small/embeddings?api-version=1",
  ],
])("EMBEDDINGS_BASE_URL=%s calls %s", (base, url) => {
  const env = { EMBEDDINGS_BASE_URL: base, EMBEDDINGS_MODEL: "small", EMBEDDINGS_API_KEY_FILE: "/key" };
  expect(read(env)).toEqual({ endpoint: { url, model: "small", apiKey: "sk-file" }, faults: [] });
});

test("without an address nothing is embedded", () => {
  expect(read({})).toEqual({ endpoint: undefined, faults: [] });
});

test.each([
  [{ EMBEDDINGS_BASE_URL: "ftp://x.example", EMBEDDINGS_MODEL: "m" }, "EMBEDDINGS_BASE_URL"],
  [{ EMBEDDINGS_BASE_URL: "https://a:b@x.example", EMBEDDINGS_MODEL: "m" }, "EMBEDDINGS_BASE_URL"],
  [{ EMBEDDINGS_BASE_URL: "https://x.example" }, "EMBEDDINGS_MODEL"],
  [{ EMBEDDINGS_MODEL: "m" }, "EMBEDDINGS_BASE_URL"],
  [{ EMBEDDINGS_API_KEY: "sk-x" }, "EMBEDDINGS_BASE_URL"],
  [
    { EMBEDDINGS_BASE_URL: "https://x.example", EMBEDDINGS_MODEL: "m", EMBEDDINGS_API_KEY: "a b" },
    "EMBEDDINGS_API_KEY",
  ],
])("%j is refused", (env, name) => {
  expect(read(env).faults).toEqual([name]);
});
