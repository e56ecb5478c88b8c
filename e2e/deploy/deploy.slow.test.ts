import { describe, expect, onTestFinished, test } from "vitest";
import { readDocument } from "./document.ts";
import { openScratchMachine, whyNoMachine } from "./scratch-machine.ts";
import { CERTIFICATE, CHAT, DESK, nginxForOneProcess, startVisit } from "./visit.ts";
import { takeDeviations } from "./watched-answers.ts";

const { commandsOf } = readDocument("deploy.md");
const UNITS = ["parley-service", "parley-bff@3101", "parley-bff@3102"];

const START_CADDY = `mkdir -p /etc/caddy
  printf '{\\nlocal_certs\\nskip_install_trust\\n}\\n' | cat - /opt/parley/deploy/Caddyfile > /etc/caddy/Caddyfile
  XDG_DATA_HOME=/var/lib caddy start --config /etc/caddy/Caddyfile > /dev/null 2>&1`;

const reason = whyNoMachine();
describe.skipIf(reason !== undefined)(
  `docs/deploy.md${reason === undefined ? "" : ` (left out: ${reason})`}`,
  () => {
    test("OPS10 its commands turn a fresh clone into a chat behind TLS, nginx or Caddy; 200 streams survive each restart, of several processes and of one, and the ports are free after the stop", async () => {
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
      const visit = startVisit(machine, { sessions: 20, certificate: CERTIFICATE, link });
      await visit.until("answered");
      await visit.until("connected");
      machine.run(commandsOf("6. Restart"));
      expect(await visit.end()).toEqual({
        sent: expect.any(Number),
        losses: [],
        streams: 200,
        reconnected: 200,
      });

      expect(takeDeviations(machine)).toBe("");
      // Control: an answer that the document does not describe is reported.
      const spoil = (from: string, to: string) =>
        machine.run(`sed -i 's/${from}/${to}/' /opt/parley/service/http/problems.ts
          systemctl restart parley-service
          curl --silent http://127.0.0.1:3001/v1/support/capabilities`);
      const body = "JSON.stringify(problemOf(failure, requestId))";
      expect(spoil(body, '"{}"')).toBe("{}");
      expect(takeDeviations(machine)).toMatch(/capabilities answered 401 with a body that it does not/);
      expect(spoil('"{}"', body)).toContain('"status":401');

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
      nginxForOneProcess(machine);
      machine.run("systemctl start nginx");
      const third = startVisit(machine, { sessions: 20, certificate: CERTIFICATE });
      await third.until("connected");
      machine.run("systemctl restart parley");
      expect(await third.end()).toEqual({
        sent: expect.any(Number),
        losses: [],
        streams: 200,
        reconnected: 200,
      });
      machine.run("systemctl stop parley nginx");
      expect(exitsOf("parley")).toEqual(["0", "0"]);
      expect(machine.run("curl --silent http://127.0.0.1:3000/livez || echo free")).toBe("free\n");
      expect(takeDeviations(machine)).toBe("");
    }, 900_000);
  },
);
