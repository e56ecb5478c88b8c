import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import { freePort } from "../bff/testing/free-port.ts";
import { listenOnFreePort } from "../shared/testing/listen.ts";
import { errorsOf } from "./kit/complaints.ts";
import { panelOn } from "./kit/panel.ts";
import { type Product, startProduct } from "./kit/product.ts";

/** Our packages, packed and installed in the projects of `examples/`, which their own tools build. Needs npm's registry. */

const ROOT = new URL("../", import.meta.url).pathname;
const PROJECTS = ["vite", "next", "typescript"] as const;
type Project = (typeof PROJECTS)[number];
/** An installation and a build of three projects on a busy machine; with others at work on two cores they took 97 s. */
const PREPARE_MS = 900_000;

const folder = mkdtempSync(join(tmpdir(), "parley-packages-"));
const PATH = `${ROOT}node_modules/.bin:${process.env["PATH"]}`;
const run = async (
  command: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string> = {},
) => {
  const more = { PATH, ["NEXT_TELEMETRY_DISABLED"]: "1", ["NODE_ENV"]: "", ...env };
  await promisify(execFile)(command, args, { cwd, env: { ...process.env, ...more } });
};

const TYPES: Record<string, string> = { ".html": "text/html; charset=utf-8", ".js": "text/javascript" };

/** Serves a built project as any web server does. */
async function serveFolder(root: string, chat: () => string) {
  const server = createServer((request, response) => {
    const path = request.url === "/" ? "/index.html" : (request.url ?? "");
    try {
      const text = readFileSync(join(root, path), "utf8");
      response.setHeader("content-type", TYPES[extname(path)] ?? "text/plain");
      response.end(text.replace("https://chat.example.com", chat()));
    } catch {
      response.writeHead(404).end();
    }
  });
  const { port, close } = await listenOnFreePort(server);
  return { origin: `http://localhost:${port}`, close };
}

async function startNext(cwd: string, port: number) {
  const next = spawn(process.execPath, ["node_modules/next/dist/bin/next", "start", "-p", String(port)], {
    cwd,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ["NEXT_TELEMETRY_DISABLED"]: "1", ["NODE_ENV"]: "production" },
  });
  await expect
    .poll(
      () =>
        fetch(`http://localhost:${port}/`).then(
          ({ ok }) => ok,
          () => false,
        ),
      { timeout: 120_000 },
    )
    .toBe(true);
  return async () => {
    const exited = once(next, "exit");
    next.kill();
    await exited;
  };
}

const sites = new Map<Project, string>();
const ends: (() => Promise<unknown>)[] = [];
let product: Product;

test.describe.configure({ mode: "default", timeout: PREPARE_MS });

test.beforeAll(async () => {
  // The limit of the tests holds for no hook.
  test.setTimeout(PREPARE_MS);
  let chat = "";
  const cwdOf = (project: Project) => join(folder, project);
  for (const name of ["vite", "typescript"] as const) {
    const root = name === "vite" ? join(cwdOf(name), "dist") : cwdOf(name);
    const { origin, close } = await serveFolder(root, () => chat);
    sites.set(name, origin);
    ends.push(close);
  }
  const nextPort = await freePort();
  sites.set("next", `http://localhost:${nextPort}`);
  product = await startProduct({ ["ALLOWED_ORIGINS"]: [...sites.values()].join() });
  chat = `http://127.0.0.1:${product.port}`;

  await run("node", ["packages/build.ts"], ROOT);
  const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, "utf8")) as { version: string };
  const tarball = (name: string) => `${ROOT}dist/packages/parley-${name}-${version}.tgz`;
  for (const project of PROJECTS) {
    const cwd = cwdOf(project);
    cpSync(`${ROOT}examples/${project}`, cwd, { recursive: true });
    // One package alone: it must need no other of ours, whose name on the registry is nobody's.
    const packed = tarball(project === "typescript" ? "js" : "react");
    await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", packed], cwd);
    await run("npm", ["run", "build"], cwd, {
      ["VITE_CHAT_ORIGIN"]: chat,
      ["NEXT_PUBLIC_CHAT_ORIGIN"]: chat,
    });
  }
  ends.push(await startNext(cwdOf("next"), nextPort));
});

test.afterAll(async () => {
  for (const end of ends) await end();
  await product?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

for (const project of PROJECTS) {
  test(`PKG1 the packed package in the ${project} project opens the chat, and a message is answered`, async ({
    page: tab,
  }) => {
    const errors = errorsOf(tab);
    await tab.goto(`${sites.get(project)}/`);
    await tab.getByRole("button", { name: "Ask us" }).click();
    const panel = panelOn(tab);
    await expect(panel.frame.getByRole("heading", { name: "Lamps" })).toBeVisible();
    await panel.say("How long does delivery take?");
    await expect(panel.log.getByText("Sent").first()).toBeVisible();
    await expect(panel.log.getByText(/business days|working days/i).first()).toBeVisible();
    await expect(tab.locator("parley-chat")).toHaveCount(1);
    expect(errors).toEqual([]);
  });
}
