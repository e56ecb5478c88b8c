import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod/mini";
import { freePort } from "../../bff/testing/free-port.ts";
import { createProgram } from "../../e2e/kit/program.ts";
import { createWorkspace, talkToService } from "../../e2e/kit/service-client.ts";

const Session = z.object({ token: z.string() });

/** Asks a service in its own process for its capabilities, then kills it. `spoil` replaces the end of its answer. */
async function askAndKill(spoil?: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "parley-watched-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { credential } = await createWorkspace({ dataDir: folder });
  const spoiler = join(folder, "spoiler.mjs");
  const source = `next(url, context).source.toString().replace("offered }, 200)", ${JSON.stringify(spoil)})`;
  writeFileSync(
    spoiler,
    `import { registerHooks } from "node:module";
    registerHooks({ load: (url, context, next) => url.endsWith("/routes/capabilities.ts")
      ? { ...next(url, context), source: ${source} } : next(url, context) });`,
  );
  const program = createProgram({
    main: "service/main.ts",
    port: await freePort(),
    env: {
      DATA_DIR: folder,
      LOG_LEVEL: "silent",
      ...(spoil === undefined ? {} : { NODE_OPTIONS: `--import=${spoiler}` }),
    },
  });
  await program.start();
  const call = talkToService(program.url, credential);
  const { token } = Session.parse(await call("POST", "/v1/sdk/sessions", { externalId: "ann" }));
  const answer = await fetch(`${program.url}/v1/support/capabilities`, {
    headers: { authorization: `Bearer ${token}` },
  });
  await answer.text();
  await program.end("SIGKILL");
}

test("API1 a program whose answers are described ends without a complaint (control)", async () => {
  await askAndKill();
});

test.each([
  [
    "a status that is not described",
    "offered }, 202)",
    /capabilities answered 202, which .* does not describe/,
  ],
  ["a body that is not described", "[7] }, 200)", /capabilities answered 200 with a body that it does not/],
])("API1 a program that answers with %s is reported, although it was killed", async (_, spoil, sentence) => {
  await expect(askAndKill(spoil)).rejects.toThrow(sentence);
});
