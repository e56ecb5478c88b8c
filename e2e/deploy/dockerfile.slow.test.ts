import { existsSync, globSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import * as z from "zod/mini";
import { REDIS_PROGRAM } from "../../bff/testing/redis-program.ts";
import { ownContainers, parseCompose } from "./compose.ts";
import { type RunningContainer, startContainer } from "./container.ts";
import { isIgnored, lastOf } from "./dockerfile.ts";
import { readDocument } from "./document.ts";
import { buildImage, commandOf, type Image, readDockerfile } from "./image.ts";
import { openScratchMachine, type ScratchMachine, whyNoMachine } from "./scratch-machine.ts";
import { parseVariables } from "./unit-file.ts";
import { startVisit } from "./visit.ts";
import { takeDeviations } from "./watched-answers.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const reason = whyNoMachine();

/** All that the image adds to Node's own, uncompressed. */
const MOST_MEGABYTES = 80;
/**
 * The files that it copies from the sources: 2,503,000 bytes on 28 November 2026, of which the guard's weights are 175,000
 * and the lockfile 125,000. A bound 12 % above finds data that nobody saw growing.
 */
const MOST_FILES = 650;
const MOST_SOURCE_BYTES = 2_800_000;
/** The files of an image of this product below its folder. */
const ROOMS = [
  ".npmrc",
  "bff",
  "demo",
  "dist",
  "node_modules",
  "package-lock.json",
  "package.json",
  "service",
  "shared",
  "start",
  "tools",
];
/** Files that nothing in production reads. Articles are Markdown too. */
const IDLE = /\.(test|spec)\.|(^|\/)(testing|__snapshots__|fixtures|docs)\/|^(?!demo\/articles\/).*\.md$/;

const Locked = z.object({
  packages: z.record(
    z.string(),
    z.object({ dev: z.optional(z.boolean()), optional: z.optional(z.boolean()) }),
  ),
});

/** The packages of a lockfile that production needs, by their folders. */
function productionOf(lockfile: string): string[] {
  const { packages } = Locked.parse(JSON.parse(lockfile));
  const needed = Object.entries(packages).filter(([path, { dev, optional }]) => path && !dev && !optional);
  return needed.map(([path]) => path).toSorted();
}

describe.skipIf(reason !== undefined)(
  `deploy/Dockerfile${reason === undefined ? "" : ` (left out: ${reason})`}`,
  () => {
    let machine: ScratchMachine;
    let image: Image;
    beforeAll(async () => {
      machine = await openScratchMachine();
      image = buildImage(machine, readDockerfile(machine.repository));
      return () => machine.remove();
    }, 900_000);

    test("OPS11 its steps copy what production reads, within bounds, and no test, document or development package", () => {
      const app = join(image.root, "opt/parley");
      expect(readdirSync(app).toSorted()).toEqual(ROOMS);
      expect(existsSync(join(app, "dist/loader/widget.js"))).toBe(true);
      const files = globSync("{*,.*,{bff,demo,service,shared,start,tools}/**/*}", { cwd: app }).filter(
        (file) => statSync(join(app, file)).isFile(),
      );
      expect(files.filter((file) => IDLE.test(file))).toEqual([]);
      expect(IDLE.test("bff/app.test.ts") && IDLE.test("README.md"), "control").toBe(true);
      expect(files.length).toBeLessThan(MOST_FILES);
      const bytes = files.reduce((sum, file) => sum + statSync(join(app, file)).size, 0);
      expect(bytes).toBeLessThan(MOST_SOURCE_BYTES);
      const [megabytes] = machine.run(`du -sm ${app}`).split("\t");
      expect(Number(megabytes)).toBeLessThan(MOST_MEGABYTES);

      const installed = productionOf(readFileSync(join(app, "node_modules/.package-lock.json"), "utf8"));
      expect(installed).toEqual(productionOf(readFileSync(join(ROOT, "package-lock.json"), "utf8")));
      expect(installed).toContain("node_modules/hono");
      for (const name of ["vite", "vitest", "typescript"])
        expect(existsSync(join(app, "node_modules", name)), name).toBe(false);
      // Each command finds all that it imports.
      for (const name of globSync("tools/*-main.ts", { cwd: app }))
        expect(machine.run(image.enter(`node ${name} --help`)), name).toContain("npm run");
    });

    test("OPS11 it serves as a user without rights, reports its health, and drains: 200 streams come back in the next one", async () => {
      const env = parseVariables(readFileSync(join(ROOT, "deploy/parley.env"), "utf8"));
      const health = image.enter(commandOf(lastOf(image.stage, "HEALTHCHECK")), env);
      expect(() => machine.run(health)).toThrow("failed");
      const first = await startContainer(machine, image, { env });
      expect(first).toMatchObject({ program: "node bff/main.ts", uid: 1000 });
      expect(() => machine.run(image.enter("touch /opt/parley/file"))).toThrow("Permission denied");
      expect(machine.run(image.enter("node tools/service-main.ts workspace list --json"))).toContain(
        '"name":"demo"',
      );

      const visit = startVisit(machine, {
        sessions: 20,
        chat: "http://127.0.0.1:3000",
        sources: ROOT,
      });
      await visit.until("connected");
      expect(await first.stop()).toBe(0);
      expect(() => machine.run(health)).toThrow("failed");
      const second = await startContainer(machine, image, { env });
      expect(await visit.end()).toEqual({
        sent: expect.any(Number),
        losses: [],
        streams: 200,
        reconnected: 200,
      });
      expect(await second.stop()).toBe(0);
      expect(takeDeviations(machine)).toBe("");
    }, 300_000);

    test.skipIf(REDIS_PROGRAM === undefined)(
      "OPS11 the containers of compose.yaml become healthy and ready with their variables, and drain",
      async () => {
        const compose = parseCompose(readFileSync(join(ROOT, "deploy/compose.yaml"), "utf8"));
        const redis = machine.spawn("sh", [
          "-c",
          `cd /var/lib/redis && exec ${compose.services["redis"]?.command}`,
        ]);
        onTestFinished(() => void redis.kill("SIGKILL"));
        machine.run("until bash -c '</dev/tcp/127.0.0.1/6379' 2> /dev/null; do sleep 0.1; done");

        // The document's commands, up to those that start the containers.
        const service = compose.services["service"]?.environment ?? {};
        const create = "node tools/service-main.ts workspace create shop --json";
        machine.run(`cd ${machine.repository}
          docker() { case "$*" in
            *" run --rm --no-TTY service ${create}") (${image.enter(create, service)});;
            *" build service" | *" up --detach" | *" logs service") ;;
            *) echo "unexpected: docker $*" >&2; return 1;;
          esac; }
          ${readDocument("deploy.md").commandsOf("Containers").split("docker logs parley").at(1)?.replace(/^.*\n/, "")}
          install -d ${image.root}/run/secrets
          cp -p deploy/application_credential ${image.root}/run/secrets/`);

        const running: RunningContainer[] = [];
        for (const [, { environment = {}, command }] of ownContainers(compose)) {
          const options = { env: { ...environment }, ...(command === undefined ? {} : { command }) };
          running.push(await startContainer(machine, image, options));
        }
        expect(running.map(({ program }) => program)).toEqual([
          "node service/main.ts",
          "node bff/main.ts",
          "node bff/main.ts",
        ]);
        for (const port of [3101, 3102])
          expect(machine.run(`curl --fail --silent http://127.0.0.1:${port}/readyz`)).toContain(
            '"status":"ok"',
          );
        for (const container of running.toReversed()) expect(await container.stop()).toBe(0);
        expect(takeDeviations(machine)).toBe("");
      },
      300_000,
    );
  },
);

test("files that .dockerignore names do not get into the image", () => {
  const { ignore } = readDockerfile(join(import.meta.dirname, "../.."));
  const paths = [
    "bff/app.ts",
    "bff/config.test.ts",
    "bff/testing/test-bff.ts",
    "node_modules/hono/package.json",
  ];
  expect(paths.filter((path) => !isIgnored(path, ignore))).toEqual(["bff/app.ts"]);
  expect(isIgnored("deploy/application_credential", ignore)).toBe(true);
});
