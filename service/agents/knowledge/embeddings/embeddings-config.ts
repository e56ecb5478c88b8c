import type { EnvironmentReader } from "../../../../shared/server/environment.ts";
import type { EmbeddingsEndpoint } from "./embeddings-client.ts";

/** Reads `EMBEDDINGS_BASE_URL`, `EMBEDDINGS_MODEL` and `EMBEDDINGS_API_KEY`; undefined without the first. */
export function readEmbeddings(reader: EnvironmentReader): EmbeddingsEndpoint | undefined {
  const base = reader.text("EMBEDDINGS_BASE_URL");
  const model = reader.text("EMBEDDINGS_MODEL");
  const key = { name: "EMBEDDINGS_API_KEY", example: "EMBEDDINGS_API_KEY_FILE=/run/secrets/embeddings" };
  const apiKey = reader.textOrFile(key.name, key.example);
  if (apiKey !== undefined && !/^[\x21-\x7e]{1,4096}$/.test(apiKey)) {
    reader.refuse({ ...key, fault: "must be printable ASCII characters without spaces." });
  }
  if (base === undefined) {
    if (model === undefined && apiKey === undefined) return undefined;
    reader.refuse({
      name: "EMBEDDINGS_BASE_URL",
      fault: `must be set, because ${model === undefined ? key.name : "EMBEDDINGS_MODEL"} is.`,
      example: "EMBEDDINGS_BASE_URL=https://api.openai.com/v1",
    });
    return undefined;
  }
  const url = URL.parse(base);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "") {
    reader.refuse({
      name: "EMBEDDINGS_BASE_URL",
      fault: "must be an http(s) address without a name and password.",
      example: "EMBEDDINGS_BASE_URL=https://api.openai.com/v1",
    });
    return undefined;
  }
  if (model === undefined) {
    reader.refuse({
      name: "EMBEDDINGS_MODEL",
      fault: "must be set, because EMBEDDINGS_BASE_URL is.",
      example: "EMBEDDINGS_MODEL=text-embedding-3-small",
    });
    return undefined;
  }
  return { url: addressOf(url), model, apiKey };
}

/** Owners name the address of a server, of its `/v1`, or of the call itself. */
function addressOf(url: URL): string {
  const path = url.pathname.replace(/\/+$/, "");
  if (path.endsWith("/embeddings")) return `${url.origin}${path}${url.search}`;
  return `${url.origin}${path === "" ? "/v1" : path}/embeddings${url.search}`;
}
