import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createLineWriter } from "./line-writer.ts";
import { createLog } from "./log.ts";

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "parley-lines-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A writer whose time passes only by `tick`. */
function openWriter(fd: number) {
  let tick = (): void => undefined;
  const every = (_: number, run: () => void) => {
    tick = run;
    return () => undefined;
  };
  onTestFinished(() => closeSync(fd));
  return { ...createLineWriter(fd, { every }), tick: () => tick() };
}

function openFile() {
  const path = join(newFolder(), "log");
  return { ...openWriter(openSync(path, "w")), read: () => readFileSync(path, "utf8") };
}

/** A pipe that nobody reads until `readAll`, and that never blocks its writer, as standard output to a pipe. */
function openPipe() {
  const path = join(newFolder(), "pipe");
  execFileSync("mkfifo", [path]);
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  const readAll = () => {
    const chunks: Buffer[] = [];
    for (;;) {
      const chunk = Buffer.alloc(64 * 1024);
      try {
        chunks.push(chunk.subarray(0, readSync(fd, chunk)));
      } catch {
        // The pipe is empty.
        return Buffer.concat(chunks);
      }
    }
  };
  return { ...openWriter(fd), readAll };
}

test("lines wait for others, at most until the next tick", () => {
  const file = openFile();
  file.write("one\n");
  file.write("two\n");
  expect(file.read()).toBe("");
  file.tick();
  expect(file.read()).toBe("one\ntwo\n");
});

test("many lines are written before the tick, and a flush writes what is left", () => {
  const file = openFile();
  const line = `${"x".repeat(999)}\n`;
  for (let count = 0; count < 20; count += 1) file.write(line);
  expect(file.read()).toBe(line.repeat(17));
  file.flush();
  expect(file.read()).toBe(line.repeat(20));
});

test("a pipe that nobody reads blocks nothing, and loses no line and no character once it is read", () => {
  const pipe = openPipe();
  const lines = Array.from({ length: 5_000 }, (_, at) => `${at} ${"ü€😀".repeat(20)}\n`);
  for (const line of lines) pipe.write(line);
  const read: Buffer[] = [];
  for (let count = 0; count < 100; count += 1) {
    read.push(pipe.readAll());
    pipe.tick();
  }
  expect(Buffer.concat(read).toString()).toBe(lines.join(""));
});

test("while nobody reads, lines beyond 4 MB are dropped", () => {
  const pipe = openPipe();
  const line = `${"x".repeat(100_000)}\n`;
  for (let count = 0; count < 100; count += 1) pipe.write(line);
  let read = 0;
  for (let count = 0; count < 80; count += 1) {
    read += pipe.readAll().length;
    pipe.tick();
  }
  expect(read).toBeGreaterThan(4_000_000);
  expect(read).toBeLessThan(5_000_000);
});

test("an output that is gone throws nothing", () => {
  const writer = createLineWriter(987_654, { every: () => () => undefined });
  writer.write("one\n");
  expect(() => writer.flush()).not.toThrow();
});

test("an entry is one line of JSON with its level, its time and its message", () => {
  const lines: string[] = [];
  const log = createLog("info", { clock: { now: () => 0 }, write: (line) => void lines.push(line) });
  log.debug({ requestId: "a" }, "left out");
  log.warn({ requestId: "b", who: undefined, ms: 3 }, "text\nof two lines");
  expect(lines).toEqual([
    `${JSON.stringify({ level: 40, time: "1970-01-01T00:00:00.000Z", requestId: "b", ms: 3, msg: "text\nof two lines" })}\n`,
  ]);
});

test("a silent log writes nothing", () => {
  const lines: string[] = [];
  const log = createLog("silent", { clock: { now: () => 0 }, write: (line) => void lines.push(line) });
  log.error({}, "nothing");
  expect(lines).toEqual([]);
});
