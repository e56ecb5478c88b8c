import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../shared/server/clock.ts";
import { makeDataFolder } from "../shared/server/make-folder.ts";
import { systemRandom } from "../shared/server/random.ts";
import { sessions } from "../shared/v1/sessions.ts";
import { runOnFolder } from "../tools/service/run-on-folder.ts";
import { SCRYPT_COST } from "./desk/password.ts";
import { type EmbeddedService, startEmbeddedService } from "./embedded.ts";
import { createMemoryLog } from "./testing/memory-log.ts";
import { makeReadOnly } from "./testing/read-only-file.ts";
import { mountSmallDisk } from "./testing/small-disk.ts";
import { json } from "./testing/test-customer.ts";

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "parley-embedded-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function start(dataDir: string, env: Record<string, string> = {}) {
  const log = createMemoryLog();
  const service = await startEmbeddedService({ dataDir, env, log });
  onTestFinished(() => service.close());
  return { ...service, log };
}

describe("the embedded service", () => {
  test("is ready, accepts its credential, and serves the contract without listening", async () => {
    const service = await start(newFolder());
    expect(await service.ready()).toEqual({ ready: true, reasons: [], notes: [] });
    const answer = await service.app.request(
      "/v1/sdk/sessions",
      json({ externalId: "x" }, service.credential),
    );
    expect(sessions.answer.parse(await answer.json()).expiresIn).toBe(900);
  });

  test("issues a credential for each process: the previous one is revoked, the workspace stays", async () => {
    const folder = newFolder();
    const first = await start(folder);
    await first.close();
    const second = await start(folder);
    expect(second.publicKey).toBe(first.publicKey);
    const statuses = await Promise.all(
      [first.credential, second.credential].map(async (credential) => {
        const answer = await second.app.request(
          "/v1/customers/identify",
          json({ externalId: "x" }, credential),
        );
        return answer.status;
      }),
    );
    expect(statuses).toEqual([401, 200]);
  });

  test("keeps its credential beside two that were issued for BFFs, while it runs and after a restart", async () => {
    const folder = newFolder();
    const first = await start(folder);
    const run = async (...args: string[]) => {
      const lines: string[] = [];
      const print = (line: string) => void lines.push(line);
      const env = { DATA_DIR: folder };
      await runOnFolder([...args, "--json"], {
        env,
        readFile: () => "",
        clock: systemClock,
        random: systemRandom,
        print,
      });
      return JSON.parse(lines.join("\n"));
    };
    const [{ id }] = await run("workspace", "list");
    const rotate = async (): Promise<string> =>
      (await run("credential", "rotate", "--workspace", id)).credential;
    const issued = [await rotate(), await rotate()];
    const areAccepted = async (service: EmbeddedService) => {
      for (const credential of [...issued, service.credential]) {
        const sent = json({ externalId: "x" }, credential);
        expect((await service.app.request("/v1/customers/identify", sent)).status).toBe(200);
      }
    };
    await areAccepted(first);
    await first.close();
    await areAccepted(await start(folder));
  });

  test("stores its signing key, so that sessions survive a restart", async () => {
    const folder = newFolder();
    const first = await start(folder);
    const opened = await first.app.request("/v1/sdk/sessions", json({ externalId: "x" }, first.credential));
    const { token } = sessions.answer.parse(await opened.json());
    await first.close();
    const second = await start(folder);
    const answer = await second.app.request("/v1/support/conversations", json({}, token));
    expect(answer.status).toBe(201);
    expect(statSync(join(folder, "session-signing.key")).mode & 0o777).toBe(0o600);
  });

  test("DESK1 creates a one-time link for the first person of the desk, a new one at each call, none if a person exists", async () => {
    const service = await start(newFolder());
    const link = await service.setupLink("http://127.0.0.1:3000/desk");
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:3000\/desk#setup=[\w-]{43}$/);
    expect(await service.setupLink("http://127.0.0.1:3000/desk")).not.toBe(link);
    expect(service.log.text()).not.toContain("setup=");
  });

  test("hashes the passwords of the desk at the full cost, unlike watched programs", async () => {
    const folder = newFolder();
    const service = await start(folder);
    const token = (await service.setupLink("http://localhost/desk"))?.split("#setup=")[1];
    const form = { token, email: "ann@shop.example", name: "Ann", password: "four unrelated lamp words" };
    const made = await service.app.request("/desk/api/setup", {
      ...json(form, ""),
      headers: { origin: "http://localhost", "content-type": "application/json" },
    });
    expect(made.status).toBe(201);
    await service.close();
    const database = new DatabaseSync(join(folder, "service.sqlite"), { readOnly: true });
    const { N, r, p } = SCRYPT_COST;
    expect(database.prepare("SELECT password_hash AS hash FROM desk_users").all()).toEqual([
      { hash: expect.stringMatching(`^scrypt\\$${N}\\$${r}\\$${p}\\$`) },
    ]);
    database.close();
  });

  test("serves the desk next to /v1", async () => {
    const service = await start(newFolder());
    const answer = await service.app.request("/desk/api/session");
    expect(answer.status).toBe(401);
  });
});

describe("the embedded service refuses to start, with a sentence", () => {
  test("with an unusable data folder", async () => {
    const file = join(newFolder(), "file");
    writeFileSync(file, "");
    await expect(start(join(file, "data"))).rejects.toThrow(
      "can't be written. Check its disk and its permissions, or set DATA_DIR to another folder.",
    );
  });

  test("OPS9 with a data folder where the kernel refuses writes", async () => {
    // To the superuser, access(2) says that "/proc" can be written, as it does of a disk that an error made read-only.
    for (const folder of ["/proc", "/proc/parley/data"])
      await expect(start(folder)).rejects.toThrow(
        `The data folder ${folder} can't be written. Check its disk`,
      );
  });

  test.each(["service.reserve", "service.sqlite.files", "service.sqlite-wal"])(
    "STORE3 without the database of a folder that has %s, which stays as it is",
    async (left) => {
      const folder = newFolder();
      writeFileSync(join(folder, left), "left");
      await expect(start(folder)).rejects.toThrow(
        `${join(folder, "service.sqlite")} is missing or empty, although other files of it are there (${left}).`,
      );
      expect(readFileSync(join(folder, left), "utf8")).toBe("left");
      expect(existsSync(join(folder, "service.sqlite"))).toBe(false);
    },
  );

  test("STORE3 with a database of 0 bytes beside its files, as a copy on a full disk leaves it", async () => {
    const folder = newFolder();
    const path = join(folder, "service.sqlite");
    writeFileSync(path, "");
    await (await start(folder)).close();
    expect(statSync(path).size, "control: without files it is a new one").toBeGreaterThan(0);
    writeFileSync(path, "");
    await expect(start(folder)).rejects.toThrow(
      `${path} is missing or empty, although other files of it are there`,
    );
    expect(statSync(path).size).toBe(0);
  });

  test("OPS9 with a database that it may only read", async () => {
    const folder = newFolder();
    await (await start(folder)).close();
    const path = join(folder, "service.sqlite");
    makeReadOnly(path);
    await expect(start(folder)).rejects.toThrow(
      new RegExp(`^The database ${path} can't be opened: (EACCES|EROFS)`),
    );
  });

  test("OPS9 with a signing key that it can't read", async () => {
    const path = join(newFolder(), "session-signing.key");
    symlinkSync(path, path);
    await expect(start(dirname(path))).rejects.toThrow(`The signing key ${path} can't be read`);
  });

  test("and releases the data folder, so that a start in the same process works once the fault is gone", async () => {
    const folder = newFolder();
    writeFileSync(join(folder, "session-signing.key"), "half");
    await expect(start(folder)).rejects.toThrow("is damaged");
    rmSync(join(folder, "session-signing.key"));
    await (await start(folder)).close();
    const rename = (from: string, to: string) => {
      const database = new DatabaseSync(join(folder, "service.sqlite"));
      database.exec(`ALTER TABLE ${from} RENAME TO ${to}`);
      database.close();
    };
    rename("pending_answers", "hidden");
    await expect(start(folder)).rejects.toThrow();
    rename("hidden", "pending_answers");
    await expect(start(folder)).resolves.toBeDefined();
  });

  test("with a missing knowledge folder, and leaves no files behind", async () => {
    const folder = join(newFolder(), "data");
    await expect(start(folder, { KNOWLEDGE_DIR: "/nowhere/at/all" })).rejects.toThrow("/nowhere/at/all");
    expect(existsSync(folder)).toBe(false);
  });

  test("with a wrong variable of the service", async () => {
    await expect(start(newFolder(), { AGENT_PROVIDERS: "llm" })).rejects.toThrow("AGENT_PROVIDERS");
  });
});

test("OPS9 a data folder on a full disk is accepted if it exists, and refused if it is missing", (context) => {
  const disk = mountSmallDisk(64 * 1024, 1);
  if (!disk) return context.skip();
  makeDataFolder(disk.folder);
  const missing = join(disk.folder, "data");
  expect(() => makeDataFolder(missing)).toThrow(`The data folder ${missing} can't be written`);
});
