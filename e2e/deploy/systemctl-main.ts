import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, openSync, readFileSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parseUnit, parseVariables } from "./unit-file.ts";
import { watchedBy } from "./watched-answers.ts";

/**
 * Stands in for systemd's `systemctl` in a scratch machine: starts and stops what a unit file says, as its user and with
 * its environment. `/run/units/UNIT.exits` holds the exit codes.
 */
const FOLDER = "/run/units";
const LOOK_MS = 50;

/** Programs of Debian's own packages, which bring their units along. They go into the background by themselves. */
const PROGRAMS: Readonly<Record<string, { readonly command: string; readonly pidFile: string }>> = {
  nginx: { command: "nginx", pidFile: "/run/nginx.pid" },
  "redis-server": {
    command: "redis-server /etc/redis/redis.conf --daemonize yes --pidfile /run/redis.pid",
    pidFile: "/run/redis.pid",
  },
};

const fileOf = (unit: string, kind: "pid" | "log" | "exits") => `${FOLDER}/${unit}.${kind}`;

function unitOf(name: string) {
  const [, template, instance] = /^([^@]+@?)(.*)$/.exec(name) ?? [];
  return parseUnit(readFileSync(`/etc/systemd/system/${template}.service`, "utf8"), instance);
}

function pidOf(name: string): number | undefined {
  const file = PROGRAMS[name]?.pidFile ?? fileOf(name, "pid");
  // `nginx -t` leaves an empty file. A signal to process 0 would go to the whole process group.
  return existsSync(file) ? Number(readFileSync(file, "utf8")) || undefined : undefined;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    // It has ended.
    return false;
  }
}

function launch(
  name: string,
  command: string,
  options: { cwd?: string; env?: Record<string, string> },
): void {
  rmSync(fileOf(name, "pid"), { force: true });
  const log = openSync(fileOf(name, "log"), "a");
  // The shell waits for the exit code; the command itself gets the signals.
  const script = `${command} & echo $! > ${fileOf(name, "pid")}; wait $!; echo $? >> ${fileOf(name, "exits")}`;
  spawn("sh", ["-c", script], { ...options, detached: true, stdio: ["ignore", log, log] }).unref();
}

async function start(name: string): Promise<void> {
  const program = PROGRAMS[name];
  if (program !== undefined) {
    // A pipe that it inherited would stay open as long as it runs.
    execFileSync("sh", ["-c", program.command], { stdio: "ignore" });
    return;
  }
  const unit = unitOf(name);
  const user = unit.one("User") ?? "root";
  const env = {
    PATH: process.env["PATH"] ?? "",
    ...parseVariables(unit.all("Environment").join("\n").replaceAll(" ", "\n")),
    ...parseVariables(
      unit
        .all("EnvironmentFile")
        .map((file) => readFileSync(file, "utf8"))
        .join("\n"),
    ),
  };
  const cwd = unit.one("WorkingDirectory") ?? "/";
  const NODE_OPTIONS = watchedBy(cwd);
  const asUser = `setpriv --reuid ${user} --regid ${user} --clear-groups --no-new-privs`;
  launch(name, `${asUser} ${unit.one("ExecStart")}`, { cwd, env: { ...env, NODE_OPTIONS } });
  while (pidOf(name) === undefined) await sleep(LOOK_MS);
  const MAINPID = String(pidOf(name));
  for (const command of unit.all("ExecStartPost")) {
    execFileSync("sh", ["-c", `timeout 90 ${command}`], { env: { ...env, MAINPID }, stdio: "inherit" });
  }
}

async function stop(name: string): Promise<void> {
  const pid = pidOf(name);
  if (pid === undefined || !isRunning(pid)) return;
  process.kill(pid, "SIGTERM");
  const seconds = PROGRAMS[name] === undefined ? Number(unitOf(name).one("TimeoutStopSec") ?? 90) : 90;
  for (const last = Date.now() + seconds * 1000; isRunning(pid); await sleep(LOOK_MS)) {
    if (Date.now() > last) process.kill(pid, "SIGKILL");
  }
}

const [verb, ...rest] = process.argv.slice(2);
const names = rest.filter((word) => !word.startsWith("--"));
mkdirSync(FOLDER, { recursive: true });
for (const name of names) {
  if (verb === "stop" || verb === "restart") await stop(name);
  if (verb === "restart" || verb === "enable" || verb === "start") await start(name);
}
