import { REDIS_PROGRAM } from "../bff/testing/redis-program.ts";
import { isDebianRoot, run } from "./debian.ts";

// Debian and root: from its packages, which bring no service here. Elsewhere tests of the shared store need one to be there.
if (REDIS_PROGRAM === undefined) {
  if (isDebianRoot) {
    console.log("Installing Redis from Debian's packages …");
    run("apt-get", ["update", "-qq"]);
    run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "redis-tools"]);
  } else {
    console.log("No redis-server here: the tests of the shared store (STORE_URL) are left out.");
  }
}
