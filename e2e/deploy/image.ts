import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { isIgnored, lastOf, parseDockerfile, type Stage, variablesOf, wordsOf } from "./dockerfile.ts";
import type { ScratchMachine } from "./scratch-machine.ts";

/** A built image: a folder of the scratch machine's host that commands run in as in a container. */
export interface Image {
  readonly root: string;
  readonly stage: Stage;
  /** `docker exec`: the command that runs a program in it as the image's user. */
  enter(command: string, env?: Readonly<Record<string, string>>): string;
}

/**
 * Carries out the lines of a Dockerfile without Docker. A stage is a folder that sees this machine's /usr, with Node 24 and
 * the user `node`. `context` is a folder outside of the machine.
 */
export function buildImage(
  machine: ScratchMachine,
  options: { readonly dockerfile: string; readonly ignore: string; readonly context: string },
): Image {
  const built = new Map<string, string>();
  let image: Image | undefined;
  for (const [index, stage] of parseDockerfile(options.dockerfile).entries()) {
    if (!stage.from.startsWith("node:24-"))
      throw new Error(`Only Node's image can be played here, not ${stage.from}.`);
    const root = join(machine.folder, `stage-${index}`);
    mkdirSync(root);
    machine.run(baseIn(root));
    for (const [at, { name, text }] of stage.instructions.entries()) {
      const sofar = { ...stage, instructions: stage.instructions.slice(0, at) };
      if (name === "WORKDIR") mkdirSync(join(root, text), { recursive: true });
      if (name === "COPY") copy(text, { ...options, root, stage: sofar, built });
      if (name === "RUN") {
        const [, cache, command = ""] = /^(?:--mount=type=cache,target=(\S+) )?(.*)$/.exec(text) ?? [];
        if (cache !== undefined)
          machine.run(`mkdir -p ~/.npm ${root}${cache}; mount --bind ~/.npm ${root}${cache}`);
        machine.run(enterIn(root, sofar, `sh -ec ${quote(command)}`, npmSettings()), { isOnline: true });
        if (cache !== undefined) machine.run(`umount ${root}${cache}`);
      }
    }
    if (stage.name !== undefined) built.set(stage.name, root);
    image = { root, stage, enter: (command, env = {}) => enterIn(root, stage, command, env) };
  }
  if (!image) throw new Error("The Dockerfile has no stage.");
  return image;
}

/** Commands that make a folder look like `node:24-bookworm-slim`. npm is this machine's. */
function baseIn(root: string): string {
  return `cd ${root}
    mkdir -p usr proc dev tmp root home/node var/lib
    cp -a /bin /sbin /lib /lib64 .
    cp -aL /etc/. etc 2>/dev/null || true
    chmod 1777 tmp; chown 1000:1000 home/node
    sed -i '/^node:/d; /:1000:/d' etc/passwd etc/group
    echo node:x:1000:1000::/home/node:/bin/sh >> etc/passwd
    echo node:x:1000: >> etc/group
    mkdir node
    cp ${process.execPath} node/node
    mount --rbind /usr usr
    mount --rbind /dev dev
    mount -t proc proc proc`;
}

function enterIn(
  root: string,
  stage: Stage,
  command: string,
  more: Readonly<Record<string, string>>,
): string {
  const user = lastOf(stage, "USER") || "root";
  const home = user === "root" ? "/root" : `/home/${user}`;
  const env = { PATH: "/node:/usr/local/bin:/usr/bin:/bin", HOME: home, ...variablesOf(stage), ...more };
  const variables = Object.entries(env).map(([name, value]) => quote(`${name}=${value}`));
  const inside = `cd ${lastOf(stage, "WORKDIR") || "/"} && exec ${command}`;
  return `exec chroot --userspec=${user}:${user} ${root} env -i ${variables.join(" ")} sh -c ${quote(inside)}`;
}

/** The settings that lead npm to the registry here. */
function npmSettings(): Record<string, string> {
  const read = (name: string) =>
    spawnSync("npm", ["config", "get", name], { encoding: "utf8" }).stdout.trim();
  const settings = {
    npm_config_registry: read("registry"),
    npm_config_cafile: read("cafile"),
    npm_config_prefer_offline: "true",
    NODE_EXTRA_CA_CERTS: process.env["NODE_EXTRA_CA_CERTS"] ?? "",
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== "" && value !== "null"));
}

function copy(
  text: string,
  options: {
    readonly root: string;
    readonly stage: Stage;
    readonly context: string;
    readonly ignore: string;
    readonly built: ReadonlyMap<string, string>;
  },
): void {
  const words = text.split(" ");
  const [from] = words[0]?.startsWith("--from=") ? [words.shift()?.slice("--from=".length)] : [];
  const to = words.pop() ?? "";
  const workdir = join(options.root, lastOf(options.stage, "WORKDIR"));
  for (const word of words) {
    const source =
      from === undefined ? join(options.context, word) : join(options.built.get(from) ?? "/nowhere", word);
    const isContent = statSync(source).isDirectory();
    const target = isContent ? join(workdir, to) : join(workdir, to, basename(word));
    cpSync(source, target, {
      recursive: true,
      filter: (path) => {
        const inContext = path.slice(join(options.context).length).replace(/^\//, "");
        return from !== undefined || inContext === "" || !isIgnored(inContext, options.ignore);
      },
    });
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The command of a `CMD` or `HEALTHCHECK … CMD`, as a shell writes it. */
export function commandOf(text: string): string {
  return wordsOf(text).map(quote).join(" ");
}

/** Reads the example and what it leaves out. */
export function readDockerfile(context: string) {
  const read = (name: string) => readFileSync(join(context, "deploy", name), "utf8");
  return { dockerfile: read("Dockerfile"), ignore: read("Dockerfile.dockerignore"), context };
}
