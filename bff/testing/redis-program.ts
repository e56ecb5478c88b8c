import { existsSync } from "node:fs";

/**
 * Debian's `redis-tools` contains the server under this name; the program decides by the name under which it is called.
 */
const PROGRAMS = ["/usr/bin/redis-server", "/usr/bin/redis-check-rdb", "/usr/local/bin/redis-server"];

/** The path of a Redis server on this machine; undefined if it has none. */
export const REDIS_PROGRAM = PROGRAMS.find((path) => existsSync(path));
