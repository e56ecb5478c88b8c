import { createServer } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { listenOnFreePort } from "../../shared/testing/listen.ts";
import { createClient } from "./client.ts";
import { DEFAULT_SCHEMES, type Environment, readAddress, TargetError } from "./environment.ts";
import { openTarget } from "./target.ts";

const BASE = { CONTRACT_BASE_URL: "https://support.example.com/x/" };
const files: Record<string, string> = { "/run/secrets/credential": "sk_filed\n", "/run/empty": "\n" };
function readFile(path: string): string {
  const text = files[path];
  if (text === undefined) throw new Error("ENOENT");
  return text;
}

function sentencesOf(env: Environment): string[] {
  try {
    readAddress(env, readFile);
  } catch (error) {
    if (error instanceof TargetError) return error.message.split("\n");
    throw error;
  }
  return [];
}

/** The suite's report about a service at `baseUrl`. */
async function refusalOf(baseUrl: string, credential: string): Promise<TargetError | undefined> {
  const schemes = DEFAULT_SCHEMES;
  const client = createClient({
    baseUrl,
    credential,
    publicKey: undefined,
    handoffSecret: undefined,
    schemes,
  });
  return client.readFacts().then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof TargetError) return error;
      throw error;
    },
  );
}

/** A service that answers every call with this status and body. */
async function serve(status: number, body: string): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status).end(body));
  const { url, close } = await listenOnFreePort(server);
  onTestFinished(close);
  return url;
}

describe("the contract suite reads the same variables as a BFF", () => {
  test("schemes, headers and secrets from files", () => {
    const address = readAddress(
      {
        ...BASE,
        APPLICATION_CREDENTIAL_FILE: "/run/secrets/credential",
        APPLICATION_PUBLIC_KEY: "pk",
        PUBLIC_KEY_HEADER: "x-app-key",
        AUTH_CAPABILITIES: "none",
        AUTH_END_CONVERSATION: "application",
      },
      readFile,
    );
    expect(address).toMatchObject({
      baseUrl: "https://support.example.com/x",
      credential: "sk_filed",
      publicKey: { header: "x-app-key", value: "pk" },
      handoffSecret: undefined,
      schemes: { ...DEFAULT_SCHEMES, capabilities: "none", endConversation: "application" },
    });
  });

  test("without an address our own service is tested", () => {
    expect(readAddress({ APPLICATION_CREDENTIAL: "sk" }, readFile)).toBeUndefined();
  });

  test.each<[string, Environment, RegExp[]]>([
    ["no credential", {}, [/^BASE_URL is set: set APPLICATION_CREDENTIAL/]],
    [
      "both forms and a wrong scheme",
      {
        APPLICATION_CREDENTIAL: "sk",
        APPLICATION_CREDENTIAL_FILE: "/run/secrets/credential",
        AUTH_TURNS: "basic",
      },
      [/^APPLICATION_CREDENTIAL is set, and/, /^AUTH_TURNS must be one of/],
    ],
    [
      "files that hold nothing, or are not there",
      { APPLICATION_CREDENTIAL_FILE: "/nowhere", HANDOFF_SECRET_FILE: "/run/empty" },
      [/^APPLICATION_CREDENTIAL_FILE names a file that can't be read/, /^HANDOFF_SECRET_FILE names an empty/],
    ],
    ["an address that is none", { CONTRACT_BASE_URL: "support" }, [/^BASE_URL must be an http\(s\) address/]],
  ])("%s gives one sentence each", (_, env, expected) => {
    const sentences = sentencesOf({ ...BASE, ...env });
    expect(sentences).toHaveLength(expected.length);
    for (const [index, pattern] of expected.entries()) expect(sentences[index]).toMatch(pattern);
  });
});

describe("a service that can't be reached is reported in a sentence, without a stack", () => {
  test("a closed port", async () => {
    const { url, close } = await listenOnFreePort(createServer());
    await close();
    const refusal = await refusalOf(url, "sk");
    expect(refusal?.message).toBe(`The service at ${url} does not answer (ECONNREFUSED).`);
    expect(refusal?.stack).toBe(refusal?.message);
  });

  test("a wrong credential, of our own service", async () => {
    const target = await openTarget({});
    onTestFinished(() => target.close());
    const refusal = await refusalOf(target.baseUrl, "sk_canary");
    expect(refusal?.message).toMatch(/refuses APPLICATION_CREDENTIAL \(sessions answered 401\)/);
    expect(refusal?.message).not.toContain("canary");
    // Control: with its own credential it can be tested.
    expect(await refusalOf(target.baseUrl, target.credential)).toBeUndefined();
  });

  test("an address where something else answers", async () => {
    expect((await refusalOf(await serve(404, "no"), "sk"))?.message).toMatch(/sessions answered 404\)/);
    expect((await refusalOf(await serve(200, "<p>Hello"), "sk"))?.message).toMatch(/200, without a token\)/);
    const asText = JSON.stringify({ token: "t", expiresIn: "900" });
    expect((await refusalOf(await serve(200, asText), "sk"))?.message).toMatch(
      /200, with a wrong expiresIn\)/,
    );
  });
});
