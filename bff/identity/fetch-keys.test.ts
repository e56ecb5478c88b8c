import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { fetchKeys } from "./fetch-keys.ts";
import { KeySetFault } from "./key-ring.ts";

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** An address that answers as told. Configuration takes https alone; what is behind the connection is the same. */
async function serve(answer: RequestListener): Promise<string> {
  server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return `http://127.0.0.1:${address.port}/keys.json?v=1`;
}

describe("the site's keys behind an address", () => {
  it("are read as they stand, with nothing of ours in the request", async () => {
    let seen: Record<string, unknown> = {};
    const url = await serve((request, response) => {
      seen = {
        url: request.url,
        cookie: request.headers.cookie,
        authorization: request.headers.authorization,
      };
      response
        .writeHead(200, { "content-type": "application/jwk-set+json; charset=utf-8" })
        .end('{"keys":[]}');
    });
    expect(await fetchKeys(url)).toBe('{"keys":[]}');
    expect(seen).toEqual({ url: "/keys.json?v=1", cookie: undefined, authorization: undefined });
  });

  it.each<[string, RequestListener, string]>([
    [
      "a redirect, which is not followed",
      (_, response) => response.writeHead(302, { location: "http://169.254.169.254/" }).end(),
      "302",
    ],
    ["404", (_, response) => response.writeHead(404).end(), "404"],
    [
      "a page",
      (_, response) => response.writeHead(200, { "content-type": "text/html" }).end("{}"),
      "not JSON",
    ],
  ])("that answer %s are a fault", async (_name, answer, sentence) => {
    const error = await fetchKeys(await serve(answer)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(KeySetFault);
    expect(String(error)).toContain(sentence);
  });

  it.each<[string, RequestListener]>([
    ["answer 503", (_, response) => response.writeHead(503).end()],
    ["break the line", (request) => request.socket.destroy()],
    [
      "never end",
      (_, response) => {
        response.writeHead(200, { "content-type": "application/json" });
        for (let kilobyte = 0; kilobyte < 65; kilobyte += 1) response.write(" ".repeat(1024));
      },
    ],
  ])("that %s are not there now, which is no fault of the set", async (_name, answer) => {
    const error = await fetchKeys(await serve(answer)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(KeySetFault);
  });
});
