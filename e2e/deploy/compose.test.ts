import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parseConfig as parseBffConfig } from "../../bff/config.ts";
import { hasRedis, startRedis } from "../../bff/testing/redis-server.ts";
import { parseConfig as parseServiceConfig } from "../../service/config.ts";
import { Secret } from "../../shared/server/secret.ts";
import { examineStores } from "../../tools/doctor/examine-store.ts";
import { type Container, danglingNames, ownContainers, parseCompose } from "./compose.ts";
import { lastOf, lastStage, variablesOf, wordsOf } from "./dockerfile.ts";
import { unitVariables } from "./unit-file.ts";

const DEPLOY = fileURLToPath(new URL("../../deploy/", import.meta.url));
const read = (name: string) => readFileSync(`${DEPLOY}${name}`, "utf8");
const TEXT = read("compose.yaml");
const compose = parseCompose(TEXT);
const own = ownContainers(compose);
const IMAGE = lastStage(read("Dockerfile"));
/** What Node itself reads, not the product. */
const NODES_OWN = "NODE_ENV";
const PARSE = { "bff/main.ts": parseBffConfig, "service/main.ts": parseServiceConfig } as const;

/** The program of a container: that of its command, or the image's. */
function programOf({ command }: Container): keyof typeof PARSE {
  const words = command?.split(" ") ?? wordsOf(lastOf(IMAGE, "CMD"));
  const program = words.length === 2 && words[0] === "node" ? words[1] : undefined;
  if (program !== "bff/main.ts" && program !== "service/main.ts")
    throw new Error(`${words.join(" ")} is no server of ours, or has a shell around it.`);
  return program;
}

/** The variables of a container, with the image's, and the configuration that its program reads from them. */
function configOf(container: Container) {
  const env = { ...variablesOf(IMAGE), ...container.environment };
  const secrets = (container.secrets ?? []).map((name) => `/run/secrets/${name}`);
  const readSecret = (path: string) => {
    if (!secrets.includes(path)) throw new Error(`There is no secret at ${path}.`);
    return "sk_test";
  };
  return { env, config: PARSE[programOf(container)](env, readSecret) };
}

/** Variables of a container that its program does not read. */
function unknownOf(container: Container): string[] {
  const { env, config } = configOf(container);
  return Object.keys(env).filter((name) => !config.variables.has(name) && name !== NODES_OWN);
}

const containerOf = (name: string): Container => {
  const container = compose.services[name];
  if (!container) throw new Error(`There is no container ${name}.`);
  return container;
};

describe("deploy/compose.yaml", () => {
  it("has the containers of the document, and one of them holds the network and its ports", () => {
    expect(Object.keys(compose.services)).toEqual(["network", "proxy", "redis", "service", "bff-1", "bff-2"]);
    const { network, ...others } = compose.services;
    expect(network).toMatchObject({ ports: ["80:80", "443:443"], restart: "unless-stopped" });
    for (const [name, { ports, network_mode }] of Object.entries(others))
      expect({ ports, network_mode }, name).toEqual({ ports: undefined, network_mode: "service:network" });
  });

  it("has only attributes that Compose knows, and no key twice", () => {
    expect(() => parseCompose(TEXT.replace("stop_grace_period", "stop_grace"))).toThrow("stop_grace");
    expect(() => parseCompose(TEXT.replace('PORT: "3001"', "PORT: 3001"))).toThrow("expected string");
    expect(() => parseCompose(TEXT.replace("  proxy:", "  redis:"))).toThrow("Map keys must be unique");
  });

  it("every container, volume and secret that it names is there and in use, and so are the files", () => {
    expect(danglingNames(compose)).toEqual([]);
    for (const [old, wrong, fault] of [
      ["volumes: [data:", "volumes: [date:", "There is no volume date."],
      ["certificates: {}, ", "", "There is no volume certificates."],
      ["[redis, service]", "[reddis, service]", "There is no container reddis."],
      ["secrets: [application_credential]", "secrets: [credential]", "There is no secret credential."],
    ] as const)
      expect(danglingNames(parseCompose(TEXT.replace(old, wrong))), "control").toContain(fault);
    expect(containerOf("proxy").volumes).toContain("./Caddyfile:/etc/caddy/Caddyfile:ro");
    expect(existsSync(`${DEPLOY}Caddyfile`)).toBe(true);
    const { file } = compose.secrets["application_credential"] ?? {};
    for (const ignored of ["../.gitignore", "Dockerfile.dockerignore"])
      expect(read(ignored).split("\n")).toContain(`deploy/${file?.slice("./".length)}`);
  });

  it("each variable is one that its program reads, and each value starts it", () => {
    expect(own.map(([name]) => name)).toEqual(["service", "bff-1", "bff-2"]);
    for (const [name, container] of own) expect(unknownOf(container), name).toEqual([]);
    const wrong = (old: string, name: string) =>
      ownContainers(parseCompose(TEXT.replaceAll(old, name))).map(([, container]) => container);
    expect(wrong("TRUSTED_PROXIES:", "TRUST_PROXIES:").flatMap(unknownOf), "control").toEqual(
      Array(3).fill("TRUST_PROXIES"),
    );
    expect(() => wrong("redis://", "http://").map(configOf), "control").toThrow("STORE_URL");
    expect(() => wrong("/run/secrets/", "/run/").map(configOf), "control").toThrow("FILE");
  });

  it("its settings are those of the units, which run the same processes without containers", () => {
    const { NODE_ENV, ...service } = unitVariables(DEPLOY, "parley-service.service", "service.env");
    expect(configOf(containerOf("service")).env).toEqual({ ...service, NODE_ENV, HOST: "127.0.0.1" });
    const secret = { APPLICATION_CREDENTIAL_FILE: "/run/secrets/application_credential" };
    for (const [name, PORT] of [
      ["bff-1", "3101"],
      ["bff-2", "3102"],
    ] as const) {
      const bff = { ...unitVariables(DEPLOY, "parley-bff@.service", "bff.env"), PORT };
      const image = { HOST: "127.0.0.1", DATA_DIR: "/var/lib/parley" };
      expect(configOf(containerOf(name)).env, name).toEqual({ ...bff, ...secret, ...image });
    }
  });

  it("each BFF finds the service and Redis on the loopback that they share, and Caddy finds all of them", () => {
    const portsOf = (pattern: RegExp) => read("Caddyfile").match(pattern)?.slice(1).map(Number);
    const service = parseServiceConfig(configOf(containerOf("service")).env, () => "");
    expect(portsOf(/^\t\treverse_proxy 127\.0\.0\.1:(\d+) \{$/m)).toEqual([service.port]);
    const ports = ["bff-1", "bff-2"].map((name) => {
      const bff = parseBffConfig(configOf(containerOf(name)).env, () => "sk_test");
      expect(bff.baseUrl).toBe(`http://${service.host}:${service.port}`);
      expect(bff.storeUrl).toEqual(new Secret("redis://127.0.0.1:6379/0"));
      return bff.port;
    });
    expect(portsOf(/^\treverse_proxy 127\.0\.0\.1:(\d+) 127\.0\.0\.1:(\d+) \{$/m)).toEqual(ports);
    expect(new Set([...ports, service.port, 6379]).size).toBe(4);
  });

  it("each of our containers has the image's user and health check, drains in time, and is back after a reboot", () => {
    // The health check asks PORT of 127.0.0.1.
    expect(lastOf(IMAGE, "HEALTHCHECK")).toContain(
      "`http://127.0.0.1:$" + "{process.env.PORT ?? 3000}/livez`",
    );
    for (const [name, container] of own) {
      const { env, config } = configOf(container);
      expect([env["HOST"], env["PORT"]], name).toEqual(["127.0.0.1", String(config.port)]);
      expect(container.stop_grace_period, name).toBe("30s");
    }
    for (const [name, { restart }] of Object.entries(compose.services))
      expect(restart, name).toBe("unless-stopped");
  });

  it("what customers and people write is in a volume, which only the service has", () => {
    const data = own.filter(([, { volumes = [] }]) => volumes.includes("data:/var/lib/parley"));
    expect(data.map(([name]) => name)).toEqual(["service"]);
    expect(lastOf(IMAGE, "VOLUME")).toBe("/var/lib/parley");
    expect(containerOf("redis").volumes).toEqual(["redis:/data"]);
    expect(containerOf("proxy").volumes).toContain("certificates:/data");
  });

  it.skipIf(!hasRedis)(
    "Redis with its command is a store that the doctor finds nothing wrong with",
    async () => {
      const { command = "" } = containerOf("redis");
      const [program, ...settings] = command.split(/ --/);
      expect(program).toBe("redis-server");
      const examine = async (lines: readonly string[]) => {
        const { url } = await startRedis(lines);
        const base = { baseUrl: "http://127.0.0.1:1", dataDir: "/nowhere", siteId: "parley" };
        return (await examineStores({ ...base, storeUrl: new Secret(url) })).map(({ level }) => level);
      };
      expect(await examine(settings)).toEqual(["good"]);
      const evicting = settings.map((line) => line.replace("noeviction", "allkeys-lru"));
      expect(await examine(evicting), "control").toEqual(["good", "note"]);
    },
  );
});
