import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}
interface LockedPackage {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly link?: boolean;
}

const read = (path: string) => readFileSync(`${ROOT}${path}`, "utf8");
const manifest = JSON.parse(read("package.json")) as Manifest;
const readLock = (path: string) =>
  (JSON.parse(read(path)) as { packages: Record<string, LockedPackage> }).packages;
const locked = readLock("package-lock.json");
const decisions = globSync("docs/decisions/*.md", { cwd: ROOT }).map(read).join("\n");

/** Runtime dependencies without a written reason. */
function unexplained(names: readonly string[], text: string): string[] {
  return names.filter((name) => !text.includes(`\`${name}\``));
}

/**
 * One sentence for each package whose bytes are not pinned, that comes from another registry, or that runs an install
 * script.
 */
function faultsOf(packages: Readonly<Record<string, LockedPackage>>): string[] {
  return Object.entries(packages).flatMap(([path, { resolved, integrity, hasInstallScript, link }]) => {
    if (path === "") return [];
    const faults = [];
    // The lockfile contains no address: npm asks its configured registry. A package with an address comes from
    // elsewhere.
    if (link || resolved !== undefined) faults.push(`${path} is not from the registry.`);
    if (!integrity?.startsWith("sha512-")) faults.push(`${path} has no sha512.`);
    if (hasInstallScript) faults.push(`${path} runs a script when it is installed.`);
    return faults;
  });
}

describe("third-party packages", () => {
  it("FILE2 every runtime dependency has its reason in docs/decisions", () => {
    const names = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
    expect(unexplained(names, decisions)).toEqual([]);
  });

  it("a new dependency without a reason is reported (control)", () => {
    expect(unexplained(["hono", "left-pad"], decisions)).toEqual(["left-pad"]);
  });

  it("versions are exact", () => {
    const { dependencies, devDependencies, optionalDependencies } = manifest;
    const versions = Object.values({ ...dependencies, ...devDependencies, ...optionalDependencies });
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  });

  it("the lockfile pins every byte, and no install script runs", () => {
    expect(Object.keys(locked).length).toBeGreaterThan(50);
    expect(faultsOf(locked)).toEqual([]);
  });

  it.each(globSync("{examples,e2e}/*/package-lock.json", { cwd: ROOT }))("%s pins every byte too", (path) => {
    expect(faultsOf(readLock(path))).toEqual([]);
  });

  it("a package from elsewhere, without a hash or with a script is reported (control)", () => {
    const packages = {
      "": {},
      "node_modules/a": { resolved: "git+ssh://git@host.example/a.git", integrity: "sha512-x" },
      "node_modules/b": { hasInstallScript: true },
    };
    expect(faultsOf(packages)).toEqual([
      "node_modules/a is not from the registry.",
      "node_modules/b has no sha512.",
      "node_modules/b runs a script when it is installed.",
    ]);
  });
});
