import { once } from "node:events";
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { isIgnored, lastOf } from "./dockerfile.ts";
import { buildImage, commandOf, readDockerfile } from "./image.ts";
import { openScratchMachine, whyNoMachine } from "./scratch-machine.ts";

const reason = whyNoMachine();

/** All that the image adds to Node's own, uncompressed. */
const MOST_MEGABYTES = 80;

describe.skipIf(reason !== undefined)(
  `deploy/Dockerfile${reason === undefined ? "" : ` (left out: ${reason})`}`,
  () => {
    test("OPS11 its steps make an image that serves as a user without rights, reports its health, and drains", async () => {
      const machine = await openScratchMachine();
      onTestFinished(() => machine.remove());
      const image = buildImage(machine, readDockerfile(machine.repository));
      const app = join(image.root, "opt/parley");
      expect(existsSync(join(app, "dist/loader/widget.js"))).toBe(true);
      expect(existsSync(join(app, "node_modules/vite"))).toBe(false);
      expect(globSync("{.git,e2e,widget,**/*.test.ts}", { cwd: app, exclude: ["node_modules/**"] })).toEqual(
        [],
      );

      const [megabytes] = machine.run(`du -sm ${app}`).split("\t");
      expect(Number(megabytes)).toBeLessThan(MOST_MEGABYTES);

      const health = image.enter(commandOf(lastOf(image.stage, "HEALTHCHECK")));
      expect(() => machine.run(health)).toThrow("failed");
      const container = machine.spawn("bash", ["-c", image.enter(commandOf(lastOf(image.stage, "CMD")))]);
      const exit = once(container, "exit");
      let output = "";
      container.stdout.on("data", (chunk) => (output += String(chunk)));
      const endedEarly = exit.then(() => Promise.reject(new Error(`It ended: ${output}`)));
      endedEarly.catch(() => undefined);
      while (!output.includes("Parley is ready"))
        await Promise.race([once(container.stdout, "data"), endedEarly]);
      machine.run(health);
      // nsenter waits for its only child, the container's first process.
      const [first] = readFileSync(`/proc/${container.pid}/task/${container.pid}/children`, "utf8").split(
        " ",
      );
      expect(readFileSync(`/proc/${first}/cmdline`, "utf8")).toBe("node\0bff/main.ts\0");
      expect(statSync(`/proc/${first}`).uid).toBe(1000);
      expect(() => machine.run(image.enter("touch /opt/parley/file"))).toThrow("Permission denied");
      expect(machine.run(image.enter("node tools/service-main.ts workspace list --json"))).toContain(
        '"name":"demo"',
      );

      process.kill(Number(first), "SIGTERM");
      expect(await exit).toEqual([0, null]);
    }, 900_000);
  },
);

test("what .dockerignore names does not get into the image", () => {
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
