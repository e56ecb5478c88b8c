import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { lastOf } from "./dockerfile.ts";
import { commandOf, type Image } from "./image.ts";
import type { ScratchMachine } from "./scratch-machine.ts";
import { makeReport, watchedBy } from "./watched-answers.ts";

export interface RunningContainer {
  /** What runs as its first process, and under which user's number. */
  readonly program: string;
  readonly uid: number;
  /** Sends SIGTERM to its first process, as `docker stop` does; returns its exit code. */
  stop(): Promise<number | null>;
}

/** `docker run`: starts an image's command, or another one, and waits until its health check succeeds. */
export async function startContainer(
  machine: ScratchMachine,
  image: Image,
  { env, command = commandOf(lastOf(image.stage, "CMD")) }: { env: Record<string, string>; command?: string },
): Promise<RunningContainer> {
  const health = image.enter(commandOf(lastOf(image.stage, "HEALTHCHECK")), env);
  // The image leaves out what its programs are watched by.
  const testing = "/opt/parley/service/testing";
  machine.run(`${makeReport(image.root)}
    mkdir -p ${image.root}${testing}
    mountpoint -q ${image.root}${testing} || mount --bind ${machine.repository}/service/testing ${image.root}${testing}`);
  const watched = { ...env, NODE_OPTIONS: watchedBy("/opt/parley") };
  const child = machine.spawn("bash", ["-c", image.enter(command, watched)]);
  const exit = once(child, "exit").then(([code]) => code as number | null);
  let output = "";
  child.stdout.on("data", (chunk) => (output += String(chunk)));
  const ended = exit.then(() => Promise.reject(new Error(`It ended: ${output}`)));
  ended.catch(() => undefined);
  while (!/Parley is ready|^Service: /m.test(output)) await Promise.race([once(child.stdout, "data"), ended]);
  machine.run(health);
  // nsenter waits for its only child, the container's first process.
  const [first] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").split(" ");
  return {
    program: readFileSync(`/proc/${first}/cmdline`, "utf8").replaceAll("\0", " ").trim(),
    uid: statSync(`/proc/${first}`).uid,
    stop() {
      process.kill(Number(first), "SIGTERM");
      return exit;
    },
  };
}
