import { globSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findNginx, UNPACKED } from "../bff/testing/nginx-program.ts";
import { isDebianRoot, run } from "./debian.ts";

// On Debian as root: downloads and unpacks the package without installing it, because installing would start a server.
// Elsewhere nginx must be installed already; otherwise the tests behind nginx fail with that sentence.
if (findNginx() === undefined && isDebianRoot) {
  console.log("Unpacking nginx from Debian's packages …");
  const folder = mkdtempSync(join(tmpdir(), "parley-nginx-"));
  run("apt-get", ["update", "-qq"]);
  run("apt-get", ["download", "-qq", "-o", "APT::Sandbox::User=root", "nginx"], folder);
  mkdirSync(UNPACKED, { recursive: true });
  for (const file of globSync("*.deb", { cwd: folder }))
    run("dpkg-deb", ["-x", join(folder, file), UNPACKED]);
  rmSync(folder, { recursive: true });
}
