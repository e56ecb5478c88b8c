import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { FILE_NAME_HEADER } from "../shared/attachment.ts";
import { databaseOf } from "./open-store.ts";
import { openDatabase } from "./store/sqlite/database.ts";
import { MIGRATIONS } from "./store/sqlite/migrations.ts";
import { png } from "./testing/files.ts";
import { openCustomer } from "./testing/test-customer.ts";
import { watchProgram } from "./testing/watched-program.ts";

const MAIN = fileURLToPath(new URL("../tools/service-main.ts", import.meta.url));

interface Run {
  readonly child: ChildProcess;
  output(): string;
  until(text: string): Promise<void>;
  exit(): Promise<number | null>;
}

function run(dataDir: string, args: readonly string[] = [], env: Record<string, string> = {}): Run {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const watched = watchProgram();
  const child = spawn(process.execPath, [...watched.flags, MAIN, ...args], {
    env: { PATH, NODE_COMPILE_CACHE, DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "silent", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const exited = once(child, "close");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exited;
    watched.requireDescribed();
  });
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += String(chunk)));
  return {
    child,
    output: () => output,
    async until(text) {
      while (!output.includes(text)) await Promise.race([once(child.stdout, "data"), failWhen(exited)]);
    },
    async exit() {
      await exited;
      return child.exitCode;
    },
  };
}

async function failWhen(exited: Promise<unknown>): Promise<never> {
  await exited;
  throw new Error("The process ended before it said what was waited for.");
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "parley-main-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Creates the workspace of a data folder. Returns its credential. */
async function createWorkspaceIn(folder: string): Promise<string> {
  const made = run(folder, ["workspace", "create", "acme", "--json"]);
  expect(await made.exit()).toBe(0);
  return JSON.parse(made.output()).credential;
}

/** A data folder with a workspace, of which most tests get a copy: each start of a program costs a second. */
let prepared: { readonly folder: string; readonly credential: string } | undefined;
afterAll(() => {
  if (prepared) rmSync(prepared.folder, { recursive: true, force: true });
});

async function copyPrepared(): Promise<{ readonly folder: string; readonly credential: string }> {
  if (!prepared) {
    const source = mkdtempSync(join(tmpdir(), "parley-main-"));
    prepared = { folder: source, credential: await createWorkspaceIn(source) };
  }
  const folder = newFolder();
  cpSync(prepared.folder, folder, { recursive: true });
  return { folder, credential: prepared.credential };
}

async function serve(
  { folder, credential }: { readonly folder: string; readonly credential: string },
  env: Record<string, string> = {},
) {
  const service = run(folder, [], env);
  await service.until("/desk#setup=");
  const url = /Service: (http:\/\/127\.0\.0\.1:\d+)\/v1/.exec(service.output())?.[1] ?? "";
  const customer = await openCustomer((path, init) => fetch(url + path, init), credential, "ann");
  return { service, url, customer };
}

describe("a command of a newer version", () => {
  test("OPS13 leaves the database of a running service as it is, and changes the schema after its end", async () => {
    const folder = newFolder();
    const { path, lock } = databaseOf(folder);
    const older = MIGRATIONS.slice(0, -1);
    openDatabase(path, 0, older).close();
    const unlock = lock();
    for (const command of [["workspace", "list"], ["compact"]]) {
      const refused = run(folder, command);
      expect(await refused.exit()).toBe(1);
      expect(refused.output()).toContain("is in use: another service runs on it.");
    }
    openDatabase(path, 0, older).close();
    unlock();
    expect(await run(folder, ["compact"]).exit()).toBe(0);
    expect(() => openDatabase(path, 0, older)).toThrow("start the newer program");
  });
});

describe("the service's process", () => {
  test("what it writes is readable only by its owner, also in a folder that is open to others", async () => {
    const folder = newFolder();
    chmodSync(folder, 0o755);
    await serve({ folder, credential: await createWorkspaceIn(folder) });
    const open = readdirSync(folder).filter((file) => (statSync(join(folder, file)).mode & 0o077) !== 0);
    expect(readdirSync(folder)).toContain("service.sqlite-wal");
    expect(open).toEqual([]);
  });

  test("SIGTERM ends open streams and the process, with exit code 0", async () => {
    const { service, customer } = await serve(await copyPrepared());
    const id = await customer.start();
    const stream = await customer.get(`/v1/support/conversations/${id}/events`);
    const reader = stream.body?.getReader();
    await reader?.read();
    service.child.kill("SIGTERM");
    expect(await service.exit()).toBe(0);
    while (!(await reader?.read())?.done);
  });

  test("OPS1 SIGTERM finishes a file that is being sent", async () => {
    const { service, url, customer } = await serve(await copyPrepared(), { LOG_LEVEL: "info" });
    const id = await customer.start();
    const upload = request(`${url}/v1/support/conversations/${id}/attachments`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${customer.token}`,
        "idempotency-key": "file-1",
        [FILE_NAME_HEADER]: "a.png",
        expect: "100-continue",
      },
    });
    upload.flushHeaders();
    await once(upload, "continue");
    service.child.kill("SIGTERM");
    await service.until('"stopping"');
    upload.end(png());
    const [answer] = await once(upload, "response");
    expect(answer.statusCode).toBe(201);
    expect(await service.exit()).toBe(0);
  });

  test("what was acknowledged survives SIGKILL and a restart", async () => {
    const data = await copyPrepared();
    const { service, customer } = await serve(data);
    const id = await customer.start();
    const kept = await customer.say(id, "How long does shipping take?");
    service.child.kill("SIGKILL");
    await service.exit();
    const again = run(data.folder);
    await again.until("/desk#setup=");
    const url = /Service: (http:\/\/127\.0\.0\.1:\d+)\/v1/.exec(again.output())?.[1] ?? "";
    const answer = await fetch(`${url}/v1/support/conversations/${id}/messages`, {
      headers: { authorization: `Bearer ${customer.token}` },
    });
    const { messages } = await answer.json();
    expect(messages[0]).toEqual(kept);
  });

  test("a taken port is reported in one sentence, with exit code 1", async () => {
    const { url } = await serve(await copyPrepared());
    const { port } = new URL(url);
    const second = run(newFolder(), [], { PORT: port });
    expect(await second.exit()).toBe(1);
    expect(second.output()).toBe(
      `Port ${port} on 127.0.0.1 is taken. Stop what uses it, or set PORT to another, for example PORT=${Number(port) + 1}.\n`,
    );
  });

  test("GATE7 GATE8 it starts with a warning for a public address without TRUSTED_PROXIES, and for a variable that nothing reads", async () => {
    const { folder } = await copyPrepared();
    const service = run(folder, [], {
      LOG_LEVEL: "warn",
      PUBLIC_URL: "https://desk.example",
      DATABSE_URL: "file:x",
    });
    for (const said of ["TRUSTED_PROXIES is unset", "DATABSE_URL", "https://desk.example/desk#setup="])
      await service.until(said);
  });

  test("GATE8 a start that fails names the variable that nothing reads, too", async () => {
    const service = run(newFolder(), [], { PORT: "x", PUBLICURL: "https://canary.example" });
    expect(await service.exit()).toBe(1);
    for (const said of ["  PORT must be", "  PUBLICURL is not read. Did you mean PUBLIC_URL?"])
      expect(service.output()).toContain(said);
    expect(service.output()).not.toContain("canary");
  });

  test("GATE7 forwarded addresses at the desk are reported at once, in the log and in /readyz, unless TRUSTED_PROXIES is set", async () => {
    const visit = async (env: Record<string, string>) => {
      const { folder } = await copyPrepared();
      const service = run(folder, [], { LOG_LEVEL: "warn", ...env });
      await service.until("/desk#setup=");
      const url = /Service: (http:\/\/127\.0\.0\.1:\d+)\/v1/.exec(service.output())?.[1] ?? "";
      await fetch(`${url}/desk`, { headers: { "x-forwarded-for": "203.0.113.7" } });
      const { notes } = await (await fetch(`${url}/readyz`)).json();
      return { service, notes };
    };
    const unset = await visit({});
    await unset.service.until("Forwarded addresses arrive");
    expect(unset.notes).toContainEqual(expect.stringContaining("Forwarded addresses arrive"));
    const { notes } = await visit({ TRUSTED_PROXIES: "1" });
    expect(notes).not.toContainEqual(expect.stringContaining("Forwarded addresses"));
  });

  test("OPS9 a data folder where the kernel refuses writes is reported in one sentence, and the process exits", async () => {
    const refused = run("/proc/parley/data");
    expect(await refused.exit()).toBe(1);
    expect(refused.output()).toBe(
      "The data folder /proc/parley/data can't be written. Check its disk and its permissions, or set DATA_DIR to another folder.\n",
    );
  });

  test("OPS9 wrong folders are reported together with wrong variables, in one start", async () => {
    const wrong = run("/dev/null/x", [], { PORT: "x", KNOWLEDGE_DIR: "/nowhere/at/all" });
    expect(await wrong.exit()).toBe(1);
    const lines = wrong.output().trim().split("\n");
    expect(lines.slice(1).map((line) => line.trim().split(" ")[0])).toEqual([
      "PORT",
      "KNOWLEDGE_DIR",
      "DATA_DIR",
    ]);
  });

  test("a wrong configuration reports each fault and exits with 1", async () => {
    const wrong = run(newFolder(), [], { PORT: "x", LOG_LEVEL: "loud" });
    expect(await wrong.exit()).toBe(1);
    expect(wrong.output().trim().split("\n").slice(1)).toHaveLength(2);
  });
});
