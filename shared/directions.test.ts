import { globSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Import, importsIn, isTest, ROOT, read, readImports } from "./testing/imports.ts";

/** The rooms that each room may import besides itself: the table of docs/architecture.md, which is read below. */
const ALLOWED = {
  "shared/": [],
  "shared/server/": ["shared/"],
  "widget/loader/": ["widget/", "shared/"],
  "widget/client/": ["shared/"],
  "widget/frame/": ["widget/app/", "widget/ui/", "widget/elements/", "widget/client/", "shared/"],
  "widget/app/": ["widget/client/", "shared/"],
  "widget/elements/": ["widget/client/", "shared/"],
  "widget/desk/": ["widget/elements/", "widget/client/", "shared/"],
  "widget/ui/": ["widget/app/", "widget/elements/", "widget/client/", "shared/"],
  "widget/": ["widget/app/", "widget/loader/"],
  "compat/": [],
  "packages/": ["widget/"],
  "bff/": ["shared/server/", "shared/"],
  "service/": ["shared/server/", "shared/"],
  "tools/": ["start/", "bff/", "service/", "shared/server/", "shared/"],
  "demo/": ["shared/"],
  "start/": ["bff/", "service/", "demo/", "shared/server/", "shared/"],
} as const satisfies Record<string, readonly string[]>;
type Room = keyof typeof ALLOWED;

/** Tests, measurements and the pipeline may use anything; production code does not use them. */
const FREE = ["e2e/", "bench/", ".ci/"] as const;

const isRoom = (name: string): name is Room => name in ALLOWED;
/** Longest names first: what lies in widget/ui/ does not belong to the build, which lies in widget/ itself. */
const ROOMS = Object.keys(ALLOWED)
  .filter(isRoom)
  .sort((a, b) => b.length - a.length);

/** The program that deployments start by this name; without BASE_URL it runs the service too. */
const EXCEPTIONS = [{ file: "bff/main.ts", to: /^start\/start\.ts$/ }];

const roomOf = (path: string): Room | undefined => ROOMS.find((room) => path.startsWith(room));

function listed(names: readonly string[]): string {
  const bare = names.map((name) => name.replace(/\/$/, ""));
  return bare.length < 2 ? bare.join("") : `${bare.slice(0, -1).join(", ")} and ${bare.at(-1)}`;
}

/** The fault of one import, in one sentence. Tests may use real parts of the system instead of fakes. */
function faultOf({ file, target }: Import): string | undefined {
  const from = roomOf(file);
  if (!from || (isTest(file) && from !== "shared/")) return undefined;
  const said = `${file} imports ${target},`;
  if (isTest(target) && !isTest(file)) return `${said} which is for tests alone.`;
  if (EXCEPTIONS.some((known) => known.file === file && known.to.test(target))) return undefined;
  const open: readonly string[] = [from, ...ALLOWED[from]];
  const to = roomOf(target);
  if (to && open.includes(to)) return undefined;
  return `${said} but ${listed([from])} may import only ${listed(open)}.`;
}

const faultsOf = (imports: readonly Import[]) => imports.flatMap((one) => faultOf(one) ?? []);

/** The rows of the document's first table: a room, and what it may import according to the last column. */
function tableOf(document: string): ReadonlyMap<string, string> {
  const [, table = ""] = /^(\| folder \|.*?)\n\n/ms.exec(document) ?? [];
  const rows = table.matchAll(/^\| ((?:`[\w.]+\/(?:[\w.]+\/)?`(?:, )?)+) \|[^|]*\| ([^|]*) \|$/gm);
  return new Map(
    [...rows].flatMap(([, rooms = "", may = ""]) =>
      [...rooms.matchAll(/`([^`]+)`/g)].map(([, room = ""]): [string, string] => [room, may]),
    ),
  );
}

describe("import directions", () => {
  const imports = readImports();

  it("each room imports only what the table allows", () => {
    expect(imports.length).toBeGreaterThan(1000);
    expect(faultsOf(imports)).toEqual([]);
  });

  it("the table matches the document", () => {
    const table = tableOf(read("docs/architecture.md"));
    const named = Object.fromEntries(
      [...table].map(([room, may]) => [room, [...may.matchAll(/`([^`]+)`/g)].map(([, name]) => name)]),
    );
    expect(named).toEqual({ ...ALLOWED, ...Object.fromEntries(FREE.map((room) => [room, []])) });
    for (const room of FREE) expect(table.get(room)).toBe("anything");
  });

  it("the loader does not include zod or Preact", () => {
    const loader = globSync("widget/loader/**/*.ts", { cwd: ROOT }).filter((file) => !isTest(file));
    const heavy = loader.filter((file) => /from ["'](zod|preact|@preact)/.test(read(file)));
    expect(heavy).toEqual([]);
  });

  it("only a main.ts, or a command of its own named x-main.ts, touches process", () => {
    const files = globSync("{widget,bff,service,shared,tools,demo,start}/**/*.ts", { cwd: ROOT }).filter(
      (file) => !isTest(file) && !/(^|[/-])(main|build)\.ts$/.test(file),
    );
    const touching = files.filter((file) =>
      /\bprocess\.(env|argv|exit|on|cwd|stdout|stderr)\b/.test(read(file)),
    );
    expect(touching).toEqual([]);
  });
});

describe("a wrong import is reported in one sentence (control)", () => {
  it.each([
    ["shared/id.ts", "bff/config.ts", "but shared may import only shared."],
    ["shared/id.test.ts", "bff/config.ts", "but shared may import only shared."],
    ["shared/id.ts", "shared/server/clock.ts", "but shared may import only shared."],
    [
      "shared/server/clock.ts",
      "bff/config.ts",
      "but shared/server may import only shared/server and shared.",
    ],
    [
      "widget/app/chat.ts",
      "shared/server/clock.ts",
      "but widget/app may import only widget/app, widget/client and shared.",
    ],
    [
      "widget/loader/main.ts",
      "widget/app/chat.ts",
      "but widget/loader may import only widget/loader, widget and shared.",
    ],
    [
      "widget/app/chat.ts",
      "bff/config.ts",
      "but widget/app may import only widget/app, widget/client and shared.",
    ],
    [
      "widget/app/chat.ts",
      "widget/desk/texts.ts",
      "but widget/app may import only widget/app, widget/client and shared.",
    ],
    [
      "widget/app/chat.ts",
      "widget/ui/panel.tsx",
      "but widget/app may import only widget/app, widget/client and shared.",
    ],
    [
      "widget/desk/main.tsx",
      "widget/app/chat.ts",
      "but widget/desk may import only widget/desk, widget/elements, widget/client and shared.",
    ],
    [
      "widget/ui/panel.tsx",
      "widget/loader/api.ts",
      "but widget/ui may import only widget/ui, widget/app, widget/elements, widget/client and shared.",
    ],
    ["widget/build.ts", "shared/id.ts", "but widget may import only widget, widget/app and widget/loader."],
    ["compat/start.js", "shared/id.ts", "but compat may import only compat."],
    ["bff/app.ts", "service/embedded.ts", "but bff may import only bff, shared/server and shared."],
    ["bff/app.ts", "e2e/browser.ts", "but bff may import only bff, shared/server and shared."],
    ["bff/main.ts", "package.json", "but bff may import only bff, shared/server and shared."],
    ["service/app.ts", "bff/app.ts", "but service may import only service, shared/server and shared."],
    ["bff/app.ts", "bff/testing/test-bff.ts", "which is for tests alone."],
    ["service/app.ts", "e2e/contract/target.ts", "which is for tests alone."],
    ["widget/ui/panel.tsx", "widget/ui/testing-panel.tsx", "which is for tests alone."],
    ["bff/main.ts", "start/greeting.ts", "but bff may import only bff, shared/server and shared."],
    ["bff/app.ts", "start/start.ts", "but bff may import only bff, shared/server and shared."],
  ])("%s → %s", (file, target, fault) => {
    expect(faultsOf([{ file, target }])).toEqual([`${file} imports ${target}, ${fault}`]);
  });

  it.each([
    ["widget/ui/panel.tsx", "shared/id.ts"],
    ["bff/main.ts", "start/start.ts"],
    ["bff/app.test.ts", "service/embedded.ts"],
    ["bff/testing/test-bff.ts", "e2e/upstream/address.ts"],
  ])("%s → %s is allowed", (file, target) => {
    expect(faultsOf([{ file, target }])).toEqual([]);
  });

  it.each([
    ["compat/crisp.js", 'import { load } from "../shared/id.js";', "shared/id.js"],
    ["compat/old.cjs", 'const id = require("../shared/id.ts");', "shared/id.ts"],
    ["bff/a.ts", 'const b = await import("../service/app.ts");', "service/app.ts"],
    ["widget/app/a.ts", 'import "../desk/css/log.css?inline";', "widget/desk/css/log.css"],
    ["bff/a.ts", 'export type { A } from "../service/app.ts";', "service/app.ts"],
  ])("an import is recognised in %s: %s", (file, text, target) => {
    expect(importsIn(file, text)).toEqual([{ file, target }]);
  });
});
