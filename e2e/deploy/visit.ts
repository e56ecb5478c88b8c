import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { ScratchMachine } from "./scratch-machine.ts";

export const CHAT = "https://chat.example.com";
export const DESK = "https://desk.example.com";
export const CERTIFICATE = "/etc/parley/tls/fullchain.pem";
const SITE = "https://www.example.com";

interface VisitOptions {
  /** Each has ten streams. */
  readonly sessions: number;
  /** The authority that signed the chat's certificate. */
  readonly certificate?: string;
  /** The desk's first sign-in. With it a person answers a customer. */
  readonly link?: string;
  /** The address of the chat. */
  readonly chat?: string;
  /** The folder of the sources, with what they import. */
  readonly sources?: string;
}

/** Customers, and with a link a person at the desk, in a machine where the chat runs. */
export function startVisit(
  machine: ScratchMachine,
  { sessions, certificate, link, chat = CHAT, sources = "/opt/parley" }: VisitOptions,
) {
  const main = join(sources, "e2e/deploy/visit-main.ts");
  const child = machine.spawn(
    join(sources, "node_modules/.bin/node"),
    [main, chat, DESK, SITE, String(sessions), ...(link ? [link] : [])],
    certificate === undefined ? {} : { NODE_EXTRA_CA_CERTS: certificate },
  );
  const said: string[] = [];
  const lines = createInterface(child.stdout);
  lines.on("line", (line) => void said.push(line));
  const ended = once(child, "close");
  const endedEarly = ended.then(() => Promise.reject(new Error(`The visit ended: ${said.join(", ")}`)));
  endedEarly.catch(() => undefined);
  return {
    async until(text: string) {
      while (!said.includes(text)) await Promise.race([once(lines, "line"), endedEarly]);
    },
    /** Lets the customers send what they still have; returns what they report. */
    async end(): Promise<unknown> {
      child.stdin.end();
      await ended;
      return JSON.parse(said.at(-1) ?? "{}");
    },
  };
}

/** Edits nginx.conf as docs/deploy.md says for one process: its port in the upstream, and no server for the desk. */
export function nginxForOneProcess(machine: ScratchMachine): void {
  const file = "/etc/nginx/conf.d/parley.conf";
  const edited = machine
    .run(`cat ${file}`)
    .replace(/( *server 127\.0\.0\.1:310\d max_fails=0;\n){2}/, "    server 127.0.0.1:3000;\n")
    .replace(/\nserver \{\n.*\n *server_name desk\.example\.com;[\s\S]*?\n\}\n/, "");
  if (/310\d|3001/.test(edited)) throw new Error(`This is not nginx.conf for one process:\n${edited}`);
  machine.run(`cat > ${file} <<'END'\n${edited}END`);
}
