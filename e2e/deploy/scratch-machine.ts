import { type ChildProcessByStdio, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { findProxy } from "../../bff/testing/proxy-programs.ts";
import { REDIS_PROGRAM } from "../../bff/testing/redis-program.ts";
import { makeReport } from "./watched-answers.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const NAMESPACES = ["--mount", "--pid", "--net", "--fork", "--mount-proc", "--kill-child"];
const PROGRAMS = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
/** The settings that lead npm to its registry and to its cache. */
const INHERITED =
  /^(HOME|NODE_EXTRA_CA_CERTS|https?_proxy|no_proxy|npm_config_(registry|cafile|cache|userconfig|globalconfig))$/i;
/** Far more than a block of commands needs. */
const COMMANDS_MS = 600_000;
/** The folders that a clone does not have. */
const NOT_CLONED = new Set([
  ".git",
  ".cache",
  "node_modules",
  "dist",
  "data",
  "test-results",
  "playwright-report",
]);

/**
 * A machine of its own for the commands of a document: own /opt, /etc, /var/lib, /var/log, /var/backups, /run, processes and network,
 * with the programs of this machine. Nothing that runs there changes anything here.
 */
export interface ScratchMachine {
  /** The folders that it consists of, with their paths inside and outside. */
  readonly folder: string;
  /** Copies of the sources, as a Git repository. */
  readonly repository: string;
  /** Runs a block of commands as a shell that stops at the first failure. Returns what it printed. */
  run(commands: string, options?: { readonly isOnline?: boolean }): string;
  /** Starts a program there. */
  spawn(
    program: string,
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
  ): ChildProcessByStdio<Writable, Readable, null>;
  /** Ends every process in it and removes it. */
  remove(): Promise<void>;
}

function inherited(): Record<string, string> {
  const known = Object.entries(process.env).filter(([name]) => INHERITED.test(name));
  return { ...Object.fromEntries(known), npm_config_prefer_offline: "true" };
}

/** Why this machine can't hold another one; undefined if it can. */
export function whyNoMachine(): string | undefined {
  if (process.getuid?.() !== 0) return "only root can";
  if (spawnSync("unshare", [...NAMESPACES, "true"]).status !== 0) return "unshare is not allowed here";
  return undefined;
}

/**
 * With `isInstalled`, `npm ci` there takes the packages that are installed here, by the same lockfile. An upgrade installs
 * three times, and unpacking costs more than all else. The rest of npm is the real one.
 */
export async function openScratchMachine({ isInstalled = false } = {}): Promise<ScratchMachine> {
  const folder = mkdtempSync(join(tmpdir(), "parley-machine-"));
  const at = (name: string) => join(folder, name);
  for (const name of ["opt", "lib", "log", "backups", "bin"]) mkdirSync(at(name));
  mkdirSync(at("lib/redis"));
  mkdirSync(at("log/nginx"));
  mkdirSync(at("lib/nginx"));
  makeRepository(at("repository"));
  addPrograms(at("bin"));
  if (isInstalled) addPackages(folder);
  const env = { ...inherited(), PATH: `${at("bin")}:${PROGRAMS}:${process.env["PATH"]}` };
  const holder = spawn("unshare", [...NAMESPACES, "sh", "-c", setUpIn(folder)], {
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  await Promise.race([once(holder.stdout, "data"), once(holder, "exit").then(failed)]);
  const [inside = ""] = readFileSync(`/proc/${holder.pid}/task/${holder.pid}/children`, "utf8").split(" ");
  const enter = (isOnline: boolean) => [
    "--target",
    inside,
    "--mount",
    "--pid",
    ...(isOnline ? [] : ["--net"]),
  ];
  return {
    folder,
    repository: at("repository"),
    run(commands, { isOnline = false } = {}) {
      const args = [
        ...enter(isOnline),
        "setsid",
        "--wait",
        "bash",
        "-euo",
        "pipefail",
        "-c",
        `cd /; umask 022; ${commands}`,
      ];
      const { status, stdout, stderr } = spawnSync("nsenter", args, {
        env,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"],
        timeout: COMMANDS_MS,
      });
      if (status !== 0) throw new Error(`These commands failed:\n${commands}\n${stdout}${stderr}`);
      return stdout;
    },
    spawn: (program, args, more = {}) =>
      spawn("nsenter", [...enter(false), program, ...args], {
        env: { ...env, ...more },
        stdio: ["pipe", "pipe", "inherit"],
      }),
    async remove() {
      const ended = once(holder, "exit");
      holder.kill("SIGKILL");
      if (holder.exitCode === null && holder.signalCode === null) await ended;
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The commands that make the namespaces a machine; the last one holds them until its input ends. */
function setUpIn(folder: string): string {
  return `set -e
    cp -a /etc ${folder}/etc
    mount --bind ${folder}/etc /etc
    mount --bind ${folder}/opt /opt
    mount --bind ${folder}/lib /var/lib
    mount --bind ${folder}/log /var/log
    mount --bind ${folder}/backups /var/backups
    mount -t tmpfs tmpfs /run
    ${makeReport()}
    mkdir -p /etc/nginx/conf.d /etc/redis /etc/systemd/system
    printf '%s\\n' 'user www-data; pid /run/nginx.pid;' 'events {' 'worker_connections 768;' '}' \\
      'http { include /etc/nginx/conf.d/*.conf; }' > /etc/nginx/nginx.conf
    printf 'bind 127.0.0.1\\nport 6379\\ndir /var/lib/redis\\n' > /etc/redis/redis.conf
    # SIOCSIFFLAGS: the loopback interface is up and running.
    perl -e 'socket(S, 2, 1, 0) or die; my $lo = pack("Z16sx22", "lo", 65); ioctl(S, 0x8914, $lo) or die'
    echo ready
    # Not by exec: the first process must be one that takes in what daemons leave behind.
    cat
    exit`;
}

function failed(): never {
  throw new Error("The machine did not start.");
}

/** The sources as they are here, committed. */
function makeRepository(path: string): void {
  cpSync(ROOT, path, { recursive: true, filter: (source) => !NOT_CLONED.has(source.slice(ROOT.length)) });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=test", "-c", "user.email=test@localhost", ...args], {
      cwd: path,
      stdio: ["ignore", "ignore", "inherit"],
    });
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message", "sources");
}

/** The proxies and Redis, wherever the set-up of the tests has them, and a stand-in for systemd. */
function addPrograms(bin: string): void {
  for (const proxy of ["nginx", "caddy"] as const) {
    const program = findProxy(proxy);
    if (program === undefined)
      throw new Error(`There is no ${proxy} here. On Debian: apt-get install ${proxy}`);
    if (program !== proxy) symlinkSync(program, join(bin, proxy));
  }
  if (REDIS_PROGRAM === undefined) throw new Error("There is no redis-server on this machine.");
  // The program decides by its name.
  symlinkSync(REDIS_PROGRAM, join(bin, "redis-server"));
  for (const name of ["systemctl", "journalctl"]) {
    const main = `/opt/parley/e2e/deploy/${name}-main.ts`;
    writeFileSync(join(bin, name), `#!/bin/sh\nexec /opt/parley/node_modules/.bin/node ${main} "$@"\n`);
    chmodSync(join(bin, name), 0o755);
  }
}

/** `npm ci` links to one copy, on the same mount, except for the one file that npm writes in place. */
function addPackages(folder: string): void {
  // Links to this repository's own files would let the machine change them.
  execFileSync("cp", ["-a", join(ROOT, "node_modules"), join(folder, "opt/packages")]);
  const bin = join(folder, "bin");
  writeFileSync(
    join(bin, "npm"),
    `#!/bin/sh
    set -e
    if [ "$*" = ci ]; then
      rm -rf node_modules
      cp -al /opt/packages node_modules
      cp --remove-destination /opt/packages/.package-lock.json node_modules
    else
      PATH=\${PATH#${bin}:} exec npm "$@"
    fi\n`,
  );
  chmodSync(join(bin, "npm"), 0o755);
}
