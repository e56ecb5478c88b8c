import { existsSync } from "node:fs";

/** Debian's `redis-tools` has the server under this name: which program it is it tells from how it is called. */
const PROGRAMS = ["/usr/bin/redis-server", "/usr/bin/redis-check-rdb", "/usr/local/bin/redis-server"];

/** Where this machine has a Redis server; undefined where it has none. */
export const REDIS_PROGRAM = PROGRAMS.find((path) => existsSync(path));
