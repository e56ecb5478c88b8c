import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The path of a package's program, and the argument that only prints its version. */
export const PROXIES = {
  nginx: { path: "usr/sbin/nginx", version: "-v" },
  caddy: { path: "usr/bin/caddy", version: "version" },
} as const;
export type ProxyName = keyof typeof PROXIES;

/** The folder into which `.ci/install-proxies.ts` unpacks a package. */
export function unpackedFolder(proxy: ProxyName): string {
  return fileURLToPath(new URL(`../../.cache/${proxy}`, import.meta.url));
}

/** A working proxy of this machine, by name or path; undefined if it has none. */
export function findProxy(proxy: ProxyName): string | undefined {
  const { path, version } = PROXIES[proxy];
  return [proxy, `${unpackedFolder(proxy)}/${path}`].find((program) => {
    try {
      execFileSync(program, [version], { stdio: "ignore" });
      return true;
    } catch {
      return false;
    }
  });
}
