import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { parseConfig as parseBffConfig } from "../../bff/config.ts";
import { parseConfig as parseServiceConfig } from "../../service/config.ts";
import { parseUnit, parseVariables } from "./unit-file.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const read = (name: string) => readFileSync(`${ROOT}deploy/${name}`, "utf8");
const readSecret = () => "sk_test";

/** The variables that a unit's program gets. */
function variablesOf(unit: string, file: string): Record<string, string> {
  const environment = parseUnit(read(unit), "3101").all("Environment").join(" ").replaceAll(" ", "\n");
  return { ...parseVariables(environment), ...parseVariables(read(file)) };
}

/** The lines of a block of `compose.yaml`, below its name. */
function blockOf(name: string): string {
  return new RegExp(`^( *)${name}:.*\\n((?:\\1 +.*\\n|\\n)*)`, "m").exec(read("compose.yaml"))?.[2] ?? "";
}
const valuesIn = (block: string) => parseVariables(block.replaceAll(": ", "=").replaceAll('"', ""));

describe("the examples in deploy/", () => {
  it("the settings of one process start it, for one proxy", () => {
    const env = variablesOf("parley.service", "parley.env");
    expect(parseBffConfig(env, readSecret)).toMatchObject({ trustedProxies: 1, dataDir: "/var/lib/parley" });
    expect(parseServiceConfig({ ...env, PORT: undefined }, readSecret).dataDir).toBe("/var/lib/parley");
  });

  it("the settings of several processes lead each BFF to the service and the store", () => {
    const service = parseServiceConfig(variablesOf("parley-service.service", "service.env"), readSecret);
    const bff = parseBffConfig(variablesOf("parley-bff@.service", "bff.env"), readSecret);
    expect(bff).toMatchObject({ baseUrl: `http://127.0.0.1:${service.port}`, port: 3101, trustedProxies: 1 });
    expect(service).toMatchObject({ publicUrl: "https://desk.example.com", trustedProxies: 1 });
    expect(bff.storeUrl).toBeDefined();
  });

  it("compose.yaml has the same settings as the units, and gives each process the time to drain", () => {
    const { DATA_DIR, NODE_ENV, ...service } = variablesOf("parley-service.service", "service.env");
    expect({ DATA_DIR, NODE_ENV }).toEqual({ DATA_DIR: "/var/lib/parley", NODE_ENV: "production" });
    expect(valuesIn(blockOf("service"))).toEqual({ ...service, HOST: "127.0.0.1" });
    const { PORT, NODE_ENV: _, ...bff } = variablesOf("parley-bff@.service", "bff.env");
    const secret = { APPLICATION_CREDENTIAL_FILE: "/run/secrets/application_credential" };
    expect(valuesIn(blockOf("x-bff"))).toEqual({ ...bff, ...secret, HOST: "127.0.0.1" });
    for (const port of [PORT, "3102"])
      expect(read("compose.yaml")).toContain(`{ <<: *bff, PORT: "${port}" }`);
    expect(blockOf("x-parley")).toContain("stop_grace_period: 30s");
    expect(read("compose.yaml")).toContain("--appendonly yes --maxmemory-policy noeviction");
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

  it("each file that docs/deploy.md names exists", () => {
    const names = readFileSync(`${ROOT}docs/deploy.md`, "utf8").matchAll(/\bdeploy\/([\w@.-]*\w)/g);
    const missing = [...names]
      .map(([, name]) => name ?? "")
      .filter((name) => !existsSync(`${ROOT}deploy/${name}`));
    expect([...new Set(missing)]).toEqual(["application_credential"]);
  });
});
