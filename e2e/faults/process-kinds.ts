import { execFileSync } from "node:child_process";
import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Cure, Kind } from "./kind.ts";
import type { SeededRandom } from "./random.ts";
import type { World } from "./world.ts";

const A_DAY_MS = 24 * 60 * 60 * 1000;
/** A session lives for a day, so a jump of exactly a day would rightly end it. */
const JUMP_MS = A_DAY_MS - 10 * 60 * 1000;
const AT_ONCE: Kind["lastsMs"] = [0, 0];
const SHORT: Kind["lastsMs"] = [400, 900];

const either = (random: SeededRandom) => (random.chance(0.5) ? "bff" : "service");

function killed(name: string, program: "bff" | "service"): Kind {
  return {
    name,
    group: "process",
    lastsMs: AT_ONCE,
    async arrange(world) {
      await world[program].end("SIGKILL");
      return () => world[program].start();
    },
  };
}

/** Maximum size of one file in bytes: the system's soft limit, which needs no rights to set and to lift. */
function limitFiles(pid: number, bytes: number | "unlimited"): void {
  execFileSync("prlimit", ["--pid", `${pid}`, `--fsize=${bytes}:`]);
}

function fillDisk(world: World): Cure {
  const filler = join(world.serviceData, "filler");
  const { bavail, bsize } = statfsSync(world.serviceData);
  try {
    writeFileSync(filler, Buffer.alloc(Math.max(0, Number(bavail) - 4) * Number(bsize)));
  } catch (error) {
    // The service wrote meanwhile and took the remaining space: the disk is full, as it should be.
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
  return () => rmSync(filler);
}

/** Processes, their disk and their clock: eight kinds. `stopMs` is how long a process is stopped. */
export function processKinds(stopMs: number): readonly Kind[] {
  return [
    killed("sigkill-bff", "bff"),
    killed("sigkill-service", "service"),
    {
      name: "sigterm",
      group: "process",
      lastsMs: AT_ONCE,
      async arrange(world, random) {
        const program = world[either(random)];
        const code = await program.end("SIGTERM");
        if (code !== 0)
          throw new Error(`SIGTERM ended a program with ${code}: ${program.output().slice(-1000)}`);
        return () => program.start();
      },
    },
    {
      name: "sigstop",
      group: "process",
      lastsMs: [stopMs, stopMs],
      arrange(world, random) {
        const program = world[either(random)];
        program.signal("SIGSTOP");
        return () => program.signal("SIGCONT");
      },
    },
    {
      name: "disk-full",
      group: "process",
      smallDisk: true,
      lastsMs: SHORT,
      arrange(world) {
        if (world.isSmallDisk) return fillDisk(world);
        const pid = world.service.pid();
        limitFiles(pid, 0);
        return () => limitFiles(pid, "unlimited");
      },
    },
    {
      name: "read-only-disk",
      group: "process",
      lastsMs: SHORT,
      arrange({ service }) {
        const pid = service.pid();
        limitFiles(pid, 0);
        return () => limitFiles(pid, "unlimited");
      },
    },
    {
      name: "lock-held",
      group: "process",
      lastsMs: SHORT,
      arrange({ serviceData }) {
        const other = new DatabaseSync(join(serviceData, "service.sqlite"), { timeout: 5000 });
        other.exec("BEGIN IMMEDIATE");
        return () => {
          other.exec("ROLLBACK");
          other.close();
        };
      },
    },
    {
      name: "clock-jump",
      group: "process",
      lastsMs: SHORT,
      arrange(world, random) {
        const program = either(random);
        world.shiftClock(program, random.chance(0.5) ? JUMP_MS : -JUMP_MS);
        return () => world.shiftClock(program, 0);
      },
    },
  ];
}
