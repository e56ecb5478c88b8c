import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Where `.ci/install-nginx.ts` unpacks it. */
export const UNPACKED: string = fileURLToPath(new URL("../../.cache/nginx", import.meta.url));
const PROGRAMS = ["nginx", `${UNPACKED}/usr/sbin/nginx`];

/** A working nginx on this machine; undefined if it has none. */
export function findNginx(): string | undefined {
  return PROGRAMS.find((program) => {
    try {
      execFileSync(program, ["-v"], { stdio: "ignore" });
      return true;
    } catch {
      return false;
    }
  });
}
