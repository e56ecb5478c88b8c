import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { openScratchMachine, type ScratchMachine, whyNoMachine } from "./scratch-machine.ts";

const DOCUMENT = readFileSync(fileURLToPath(new URL("../../docs/deploy.md", import.meta.url)), "utf8");
const UNITS = ["parley-service", "parley-bff@3101", "parley-bff@3102"];

/** The commands below a heading of docs/deploy.md. */
function commandsOf(heading: string): string {
  const section = DOCUMENT.split(/^#+ /m).find((text) => text.startsWith(`${heading}\n`)) ?? "";
  return [...section.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, commands]) => commands).join("\n");
}

const START_CADDY = `mkdir -p /etc/caddy
  printf '{\\nlocal_certs\\nskip_install_trust\\n}\\n' | cat - /opt/parley/deploy/Caddyfile > /etc/caddy/Caddyfile
  XDG_DATA_HOME=/var/lib caddy start --config /etc/caddy/Caddyfile > /dev/null 2>&1`;
const CHAT = "https://chat.example.com";
const DESK = "https://desk.example.com";
const SITE = "https://www.example.com";

/** Customers, and with a link a person at the desk, in the machine. */
function startVisit(
  machine: ScratchMachine,
  { sessions, certificate, link }: { sessions: number; certificate: string; link?: string },
) {
  const child = machine.spawn(
    "/opt/parley/node_modules/.bin/node",
    ["/opt/parley/e2e/deploy/visit-main.ts", CHAT, DESK, SITE, String(sessions), ...(link ? [link] : [])],
    { NODE_EXTRA_CA_CERTS: certificate },
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

const reason = whyNoMachine();
describe.skipIf(reason !== undefined)(
  `docs/deploy.md${reason === undefined ? "" : ` (left out: ${reason})`}`,
  () => {
    test("OPS10 its commands turn a fresh clone into a chat behind TLS, nginx or Caddy; 200 streams survive each restart, and the ports are free after the stop", async () => {
      const machine = await openScratchMachine();
      onTestFinished(() => machine.remove());
      const exitsOf = (unit: string) => machine.run(`cat /run/units/${unit}.exits`).trim().split("\n");
      for (const program of ["curl", "git", "nginx", "npm", "openssl", "redis-server"]) {
        expect(commandsOf("1. Programs")).toContain(program);
        machine.run(`command -v ${program}`);
      }
      machine.run(commandsOf("2. Parley").replace("REPOSITORY", machine.repository), { isOnline: true });
      for (const heading of ["3. Settings", "4. Certificate"]) machine.run(commandsOf(heading));
      const printed = machine.run(commandsOf("5. Start"));
      expect(printed).toContain('"status":"ok"');

      const link = /https:\/\/desk\.example\.com\/desk#setup=\S+/.exec(printed)?.[0] ?? "";
      const visit = startVisit(machine, { sessions: 20, certificate: "/etc/parley/tls/fullchain.pem", link });
      await visit.until("answered");
      await visit.until("connected");
      machine.run(commandsOf("6. Restart"));
      expect(await visit.end()).toEqual({
        sent: expect.any(Number),
        losses: [],
        streams: 200,
        reconnected: 200,
      });

      // Caddy instead of nginx, with certificates that it signs itself.
      machine.run("systemctl stop nginx");
      machine.run(START_CADDY);
      const certificate = "/var/lib/caddy/pki/authorities/local/root.crt";
      const curl = `curl --silent --output /dev/null --write-out '%{http_code}' --cacert ${certificate}`;
      machine.run(`until [ "$(${curl} ${CHAT}/readyz)" = 200 ]; do sleep 0.2; done`);
      const signIn = JSON.stringify({ email: "maya@shop.example", password: "a quiet harbour at dawn" });
      expect(
        machine.run(
          `${curl} --json '${signIn}' --header 'Origin: ${DESK}' ${DESK}/desk/api/login; ${curl} ${DESK}/v1/openapi.json`,
        ),
      ).toBe("200404");
      const second = startVisit(machine, { sessions: 5, certificate });
      await second.until("connected");
      machine.run("systemctl restart parley-bff@3101");
      expect(await second.end()).toMatchObject({ losses: [], streams: 50 });
      machine.run("caddy stop > /dev/null 2>&1");

      machine.run(`systemctl stop ${UNITS.join(" ")} redis-server`);
      for (const unit of UNITS) expect(new Set(exitsOf(unit)), unit).toEqual(new Set(["0"]));
      for (const port of [80, 443, 3001, 3101, 3102]) {
        expect(machine.run(`curl --silent http://127.0.0.1:${port}/livez || echo free`)).toBe("free\n");
      }

      machine.run(commandsOf("One machine, one process"));
      machine.run("until curl --fail --silent http://127.0.0.1:3000/readyz; do sleep 0.1; done");
      machine.run("systemctl stop parley");
      expect(exitsOf("parley")).toEqual(["0"]);
    });
  },
);
