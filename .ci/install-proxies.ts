import { globSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProxy, type ProxyName, unpackedFolder } from "../bff/testing/proxy-programs.ts";
import { isDebianRoot, run } from "./debian.ts";

// On Debian as root: downloads and unpacks the packages without installing them, because installing would start servers.
// Elsewhere nginx must be installed already; otherwise the tests behind nginx fail with that sentence.
const missing = (["nginx", "caddy"] as const).filter((proxy) => findProxy(proxy) === undefined);
if (missing.length > 0 && isDebianRoot) {
  run("apt-get", ["update", "-qq"]);
  for (const proxy of missing) unpack(proxy);
}

function unpack(proxy: ProxyName): void {
  console.log(`Unpacking ${proxy} from Debian's packages …`);
  const folder = mkdtempSync(join(tmpdir(), "parley-proxy-"));
  run("apt-get", ["download", "-qq", "-o", "APT::Sandbox::User=root", proxy], folder);
  mkdirSync(unpackedFolder(proxy), { recursive: true });
  for (const file of globSync("*.deb", { cwd: folder })) {
    run("dpkg-deb", ["-x", join(folder, file), unpackedFolder(proxy)]);
  }
  rmSync(folder, { recursive: true });
}
