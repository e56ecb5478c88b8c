import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { parseConfig as parseBffConfig } from "../../bff/config.ts";
import { parseConfig as parseServiceConfig } from "../../service/config.ts";
import { parseUnit, unitVariables } from "./unit-file.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const DEPLOY = `${ROOT}deploy/`;
const read = (name: string) => readFileSync(`${DEPLOY}${name}`, "utf8");
const readSecret = () => "sk_test";

describe("the examples in deploy/", () => {
  it("the settings of one process start it, for one proxy", () => {
    const env = unitVariables(DEPLOY, "parley.service", "parley.env");
    expect(parseBffConfig(env, readSecret)).toMatchObject({ trustedProxies: 1, dataDir: "/var/lib/parley" });
    expect(parseServiceConfig({ ...env, PORT: undefined }, readSecret).dataDir).toBe("/var/lib/parley");
  });

  it("the settings of several processes lead each BFF to the service and the store", () => {
    const service = parseServiceConfig(
      unitVariables(DEPLOY, "parley-service.service", "service.env"),
      readSecret,
    );
    const bff = parseBffConfig(unitVariables(DEPLOY, "parley-bff@.service", "bff.env"), readSecret);
    expect(bff).toMatchObject({ baseUrl: `http://127.0.0.1:${service.port}`, port: 3101, trustedProxies: 1 });
    expect(service).toMatchObject({ publicUrl: "https://desk.example.com", trustedProxies: 1 });
    expect(bff.storeUrl).toBeDefined();
  });

  const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;
  it.skipIf(!hasSystemd).each(["parley.service", "parley-service.service", "parley-bff@.service"])(
    "systemd finds nothing wrong with %s",
    (name) => {
      const folder = mkdtempSync(join(tmpdir(), "parley-units-"));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      // The program that it names must exist.
      const unit = read(name).replaceAll("/opt/parley/node_modules/.bin/node", process.execPath);
      const verify = (text: string) => {
        writeFileSync(join(folder, name), text);
        const { status, stderr } = spawnSync("systemd-analyze", ["verify", join(folder, name)], {
          encoding: "utf8",
        });
        return { status, complaints: stderr };
      };
      expect(verify(unit)).toEqual({ status: 0, complaints: "" });
      expect(verify(unit.replace("TimeoutStopSec", "TimeoutStop")).complaints, "control").toContain(
        "TimeoutStop",
      );
    },
  );

  it.each(["parley.service", "parley-service.service"])(
    "%s has as long to start as reading a large database takes",
    (name) => {
      expect(parseUnit(read(name)).one("TimeoutStartSec")).toBe("infinity");
    },
  );

  it("Caddy counts no failures of a BFF, because uploads that browsers break off would be some", () => {
    expect(read("Caddyfile")).not.toMatch(/^\s*fail_duration/m);
  });

  it("each file that docs/deploy.md names exists", () => {
    const names = readFileSync(`${ROOT}docs/deploy.md`, "utf8").matchAll(/\bdeploy\/([\w@.-]*\w)/g);
    const missing = [...names]
      .map(([, name]) => name ?? "")
      .filter((name) => !existsSync(`${ROOT}deploy/${name}`));
    expect([...new Set(missing)]).toEqual(["application_credential"]);
  });
});
