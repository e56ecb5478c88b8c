import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { createTestBff } from "../../bff/testing/test-bff.ts";
import { createFakeService } from "../../service/testing/fake/fake-service.ts";
import { listenOnFreePort } from "../../shared/testing/listen.ts";
import { readPublic } from "./read-public.ts";

/** A proxy that answers a file itself with `status`; undefined: it passes everything on to a BFF. */
async function startProxy(status: number | undefined): Promise<string> {
  const bff = createTestBff({ service: createFakeService() });
  const server = createServer((incoming, outgoing) => {
    // Read to its end, so that the client gets the answer.
    incoming.resume().on("end", () => {
      if (incoming.method === "POST" && status !== undefined) return outgoing.writeHead(status).end();
      return void Promise.resolve(bff.request(incoming.method ?? "", incoming.url ?? "")).then(
        async (answer) => {
          outgoing.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
          outgoing.end(await answer.text());
        },
      );
    });
  });
  const { url, close } = await listenOnFreePort(server);
  onTestFinished(close);
  return url;
}

test.each([
  [undefined, "chat"],
  [413, { refusedWith: 413 }],
  [502, { refusedWith: 502 }],
])("DOC2 a file that the proxy answers with %s is reported as %j", async (status, answer) => {
  expect(await readPublic(await startProxy(status))).toEqual(answer);
});
