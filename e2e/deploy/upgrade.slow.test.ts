import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { readDocument } from "./document.ts";
import { openScratchMachine, type ScratchMachine, whyNoMachine } from "./scratch-machine.ts";
import { CERTIFICATE, CHAT, nginxForOneProcess, startVisit } from "./visit.ts";
import { takeDeviations } from "./watched-answers.ts";

const deploy = readDocument("deploy.md");
const operations = readDocument("operations.md");
const { commandsOf } = readDocument("upgrading.md");

/** Makes v0.2.0 of the sources in the machine's repository: a step of the service's schema more than v0.1.0. */
function release(machine: ScratchMachine): void {
  const edit = (name: string, from: string | RegExp, to: string) => {
    const path = join(machine.repository, name);
    const text = readFileSync(path, "utf8");
    if (text.search(from) < 0) throw new Error(`${name} has no ${from}.`);
    writeFileSync(path, text.replace(from, to));
  };
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=test", "-c", "user.email=test@localhost", ...args], {
      cwd: machine.repository,
      stdio: ["ignore", "ignore", "inherit"],
    });
  git("tag", "v0.1.0");
  for (const name of ["package.json", "package-lock.json"])
    edit(name, /(?<="name": "parley",\s+"version": ")0\.1\.0/g, "0.2.0");
  const step = '  { version: 99, name: "moods", sql: "CREATE TABLE moods (id TEXT) STRICT" },\n];';
  edit("service/store/sqlite/migrations.ts", /\];(?=\s*$)/, step);
  git("commit", "--quiet", "--all", "--message", "v0.2.0");
  git("tag", "v0.2.0");
}

const reason = whyNoMachine();
describe.skipIf(reason !== undefined)(
  `docs/upgrading.md${reason === undefined ? "" : ` (left out: ${reason})`}`,
  () => {
    test("OPS13 its commands upgrade under open panels without a loss, go back with the backup, and leave a sound database", async () => {
      // `deploy.slow.test.ts` proves the installation itself.
      const machine = await openScratchMachine({ isInstalled: true });
      onTestFinished(() => machine.remove());
      machine.run(deploy.commandsOf("2. Parley").replace("REPOSITORY", machine.repository));
      release(machine);
      machine.run(deploy.commandsOf("3. Settings"));
      machine.run(deploy.commandsOf("4. Certificate"));
      nginxForOneProcess(machine);
      machine.run(deploy.commandsOf("One machine, one process"));
      // As the settings ask each owner to. Without it the doctor finds a fault.
      machine.run(`cp -r /opt/parley/demo/articles /var/lib/articles
        sed -i 's|^# KNOWLEDGE_DIR=.*|KNOWLEDGE_DIR=/var/lib/articles|' /etc/parley/parley.env
        echo 'SUPPORT_HOURS=Mon-Fri 09:00-17:00 Europe/Berlin' >> /etc/parley/parley.env
        systemctl restart parley`);
      machine.run("systemctl start nginx");
      const get = (address: string) =>
        machine.run(`curl --silent --write-out '%{http_code}' --cacert ${CERTIFICATE} ${address}`);
      const config = () => get(`${CHAT}/api/config`);
      const version = () => /"version":"([\d.]+)"/.exec(config())?.[1];
      const pinned = /"url":"([^"]+widget\.js)"/.exec(config())?.[1] ?? "";
      const loader = get(pinned);
      expect(loader).toMatch(/200$/);
      const count = (table: string) =>
        Number(
          machine.run(
            `/opt/parley/node_modules/.bin/node -p 'new (require("node:sqlite").DatabaseSync)("/var/lib/parley/service.sqlite").prepare("SELECT count(*) AS n FROM ${table}").get().n'`,
          ),
        );
      const asParley = (commands: string) =>
        machine.run(
          `cd /opt/parley; runuser -u parley -- env DATA_DIR=/var/lib/parley bash -eu -s <<'END'\n${commands}\nEND`,
        );
      expect(version()).toBe("0.1.0");
      const visit = startVisit(machine, { sessions: 5, certificate: CERTIFICATE });
      await visit.until("connected");
      const upgrade = machine.run(commandsOf("Upgrade"));
      expect(upgrade.match(/No fault found/g)).toHaveLength(2);
      expect(await visit.end()).toEqual({
        sent: expect.any(Number),
        losses: [],
        streams: 50,
        reconnected: 50,
      });
      expect(version()).toBe("0.2.0");
      expect(count("moods")).toBe(0);
      expect(get(pinned)).toBe(loader);
      expect(/"url":"([^"]+widget\.js)"/.exec(config())?.[1]).not.toBe(pinned);

      // The old version refuses the new schema, at once and in a sentence.
      expect(() => machine.run(commandsOf("Rollback"))).toThrow("commands failed");
      expect(machine.run("journalctl --unit parley")).toMatch(
        /The database has schema 99, this program knows \d+/,
      );
      machine.run(commandsOf("The service's schema changed"));
      expect(version()).toBe("0.1.0");
      expect(count("conversations")).toBe(5);
      expect(() => count("moods")).toThrow("no such table");

      machine.run("systemctl stop parley");
      asParley(
        `node_modules/.bin/node -e 'new (require("node:sqlite").DatabaseSync)("/var/lib/parley/bff.sqlite").exec("PRAGMA user_version = 99")'`,
      );
      expect(() => machine.run("systemctl start parley")).toThrow("commands failed");
      expect(machine.run("journalctl --unit parley")).toContain("was written by another version");
      machine.run(commandsOf("The form of the BFF's store changed"));
      expect(version()).toBe("0.1.0");

      asParley(operations.commandsOf("Backup"));
      expect(() => asParley(operations.commandsOf("Restore"))).toThrow(/stop/i);
      machine.run("systemctl stop parley");
      expect(asParley(operations.commandsOf("Restore"))).toContain(
        "Restored from /var/backups/parley/2026-11-21.sqlite: 5 conversations",
      );
      const FILE = "/var/backups/parley/2026-11-21.sqlite";
      expect(
        asParley(operations.commandsOf("Check").replace("FILE", FILE)).match(/No fault was found/g),
      ).toHaveLength(2);
      expect(takeDeviations(machine)).toBe("");
    }, 900_000);
  },
);
