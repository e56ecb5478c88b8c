import { REDIS_PROGRAM } from "../bff/testing/redis-program.ts";
import { isDebianRoot, run } from "./debian.ts";

// On Debian as root: installs packages that start no service. Elsewhere tests of the shared store need an installed
// Redis.
if (REDIS_PROGRAM === undefined) {
  if (isDebianRoot) {
    console.log("Installing Redis from Debian's packages …");
    run("apt-get", ["update", "-qq"]);
    run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "redis-tools"]);
  } else {
    console.log("No redis-server here: the tests of the shared store (STORE_URL) are left out.");
  }
}
