import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { watch } from "node:fs";

/** Folders whose changes need a build, and those whose changes need only a restart. */
const BUILT = ["widget", "shared"];
const RUN = ["bff", "service", "start"];
/** An editor writes a file in several steps; this long after the last one it is done. */
const SETTLED_MS = 150;

/**
 * Builds, starts the product, and does both again when a source file changes. A build that fails says so and leaves the
 * running product as it is. Ends with the process.
 * @param root the folder of package.json
 */
export async function watchAll(root: string): Promise<void> {
  let server: ChildProcess | undefined;
  let isStale = true;
  let running = Promise.resolve();

  const runNode = (...args: string[]) => spawn(process.execPath, args, { cwd: root, stdio: "inherit" });

  async function refresh(): Promise<void> {
    if (isStale) {
      isStale = false;
      const [code] = await once(runNode("widget/build.ts", "--if-stale"), "exit");
      if (code !== 0) return;
    }
    if (server && server.exitCode === null && server.signalCode === null) {
      const ended = once(server, "exit");
      server.kill("SIGTERM");
      await ended;
    }
    server = runNode("bff/main.ts");
  }

  let timer: NodeJS.Timeout | undefined;
  const onChange = (folder: string, name: string | null) => {
    if (!name || !/\.(tsx?|css|html|svg|md|json)$/.test(name) || /\.(test|spec)\.|testing\//.test(name))
      return;
    isStale ||= BUILT.includes(folder);
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = running.then(refresh);
    }, SETTLED_MS);
  };
  for (const folder of [...BUILT, ...RUN]) {
    watch(`${root}/${folder}`, { recursive: true }, (_kind, name) => onChange(folder, name));
  }
  running = refresh();
  await running;
}
