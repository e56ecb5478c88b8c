import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { listenOnFreePort } from "../../shared/testing/listen.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const CREDENTIAL = "sk_canary_of_the_example";
const SECRET = "secret_canary_of_the_example";

/** The copyable service of examples/, as its README starts it. */
async function startExample(): Promise<string> {
  const child = spawn(process.execPath, ["examples/service-seven/service.mjs"], {
    cwd: ROOT,
    env: { PATH: process.env["PATH"], APPLICATION_CREDENTIAL: CREDENTIAL, HANDOFF_SECRET: SECRET, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill());
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  child.stdout.resume();
  return line.toString().trim();
}

type Spoil = (path: string, body: string) => string | undefined;

/** In front of a service: changes the bodies of its 2xx answers. */
async function spoilAnswers(target: string, spoil: Spoil): Promise<string> {
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const { authorization = "", "x-handoff-secret": secret = "" } = request.headers;
    const body = await text(request);
    const answer = await fetch(target + request.url, {
      method: request.method ?? "GET",
      headers: { authorization, "x-handoff-secret": String(secret), "content-type": "application/json" },
      ...(body === "" ? {} : { body }),
    });
    const right = await answer.text();
    const path = `${request.method} ${request.url}`;
    const type = answer.headers.get("content-type") ?? "";
    response.writeHead(answer.status, { "content-type": type });
    response.end(answer.ok ? (spoil(path, right) ?? right) : right);
  };
  const server = createServer((request, response) => void handle(request, response));
  const { url, close } = await listenOnFreePort(server);
  onTestFinished(close);
  return url;
}

/** `npm run test:contract` against this address. */
async function runSuite(url: string): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ["node_modules/vitest/vitest.mjs", "run", "--project", "contract"], {
    cwd: ROOT,
    env: {
      PATH: process.env["PATH"],
      NO_COLOR: "1",
      BASE_URL: url,
      APPLICATION_CREDENTIAL: CREDENTIAL,
      HANDOFF_SECRET: SECRET,
    },
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const code = child.exitCode ?? ((await once(child, "exit"))[0] as number | null);
  return { code, output: stdout + stderr };
}

test("SUITE2 npm run test:contract accepts the example service with the seven endpoints", async () => {
  const { code, output } = await runSuite(await startExample());
  expect([code, output]).toEqual([0, expect.stringMatching(/Tests +\d+ passed/)]);
});

/** What spoils each answer: its path, and the change. */
const SPOILED: readonly [string, RegExp, (body: string) => string][] = [
  ["POST /v1/customers/identify", /identify$/, () => '{"externalId":"somebody-else"}'],
  ["POST /v1/sdk/provider-selection", /provider-selection$/, () => '{"provider":""}'],
  [
    "POST /v1/sdk/support-selection",
    /support-selection$/,
    (body) => body.replace('"ttlSeconds":60', '"ttlSeconds":-1'),
  ],
  [
    "POST /v1/support/conversations",
    /conversations$/,
    (body) => body.replace(/("subject":.*)"open"/, '$1"failed"'),
  ],
  ["POST /v1/support/handoffs", /handoffs$/, (body) => body.replace('"requested"', '"failed"')],
  ["DELETE /v1/support/conversations/:id", /^DELETE/, (body) => `{"ok":false,${body.slice(1)}`],
];

test("SUITE1 npm run test:contract refuses the same service with each answer spoiled", async () => {
  const example = await startExample();
  const spoil: Spoil = (path, body) => SPOILED.find(([, pattern]) => pattern.test(path))?.[2](body);
  // Sessions stay right: without one nothing else can be called.
  const { code, output } = await runSuite(await spoilAnswers(example, spoil));
  expect(code).toBe(1);
  for (const [endpoint] of SPOILED) expect(output).toContain(`ContractError: ${endpoint} answered 20`);
  expect(output).toContain("docs/contract.md: KNOWN 2xx with `{provider: non-empty");
  expect(output).toContain("the hand-off failed, and a BFF says so to the customer.");
  expect(output).not.toContain("canary");

  const noToken = await spoilAnswers(example, (path) =>
    path.endsWith("/sessions") ? '{"token":""}' : undefined,
  );
  expect(await runSuite(noToken)).toMatchObject({
    code: 1,
    output: expect.stringContaining("gives no session (sessions answered 201, without a token)"),
  });
});
