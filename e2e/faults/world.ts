import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../bff/testing/free-port.ts";
import { WIDE_LIMITS } from "../../bff/testing/wide-limits.ts";
import { createProgram, type Program } from "../kit/program.ts";
import { createWorkspace } from "../kit/service-client.ts";
import { type Desk, openDesk } from "./desk.ts";
import { type HttpLink, startHttpLink } from "./http-link.ts";
import { type Ledger, openLedger } from "./ledger.ts";
import { type FaultProxy, startProxy } from "./proxy.ts";
import type { SeededRandom } from "./random.ts";
import { createSiteSigner, type SiteSigner } from "./site-signer.ts";

const SMALL_DISK = "size=24m";

/** One connection: the proxy disturbs bytes, the link after it disturbs whole requests. */
export interface Line {
  readonly proxy: FaultProxy;
  readonly link: HttpLink;
}

/** The whole product in separate processes, with a connection to disturb on either side of the BFF. */
export interface World {
  /** Customer to BFF. */
  readonly front: Line;
  /** BFF to service. */
  readonly back: Line;
  readonly bff: Program;
  readonly service: Program;
  readonly desk: Desk;
  readonly ledger: Ledger;
  /** The site's identity token for its visitor. */
  readonly site: SiteSigner;
  /** The folder of the service's data. */
  readonly serviceData: string;
  readonly isSmallDisk: boolean;
  /** Shifts the clock of one program by this many ms; 0 restores it. */
  readonly shiftClock: (program: "bff" | "service", ms: number) => void;
  readonly dispose: () => Promise<void>;
}

export interface WorldOptions {
  /**
   * Puts the service's data on a disk of a few megabytes; needs permission to mount one, otherwise it is an ordinary
   * disk.
   */
  readonly smallDisk?: boolean;
}

export async function startWorld(random: SeededRandom, options: WorldOptions = {}): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), "parley-faults-"));
  const serviceData = join(folder, "service");
  mkdirSync(serviceData, { mode: 0o700 });
  const isSmallDisk = options.smallDisk === true && mountSmallDisk(serviceData);
  const shiftFiles = { bff: join(folder, "bff.shift"), service: join(folder, "service.shift") };
  for (const path of Object.values(shiftFiles)) writeFileSync(path, "0");

  const site = await createSiteSigner();
  const { credential, publicKey } = await createWorkspace({ dataDir: serviceData });
  const service = createProgram({
    main: "service/main.ts",
    port: await freePort(),
    env: { DATA_DIR: serviceData, LOG_LEVEL: "warn", CLOCK_SHIFT_FILE: shiftFiles.service },
  });
  await service.start();
  const back = await startLine(() => service.port, random.fork("back"));
  const front = await startLine(() => bff.port, random.fork("front"));
  const bff = createProgram({
    main: "bff/main.ts",
    port: await freePort(),
    env: {
      ...WIDE_LIMITS,
      DATA_DIR: join(folder, "bff"),
      LOG_LEVEL: "warn",
      BASE_URL: back.proxy.url,
      APPLICATION_CREDENTIAL: credential,
      APPLICATION_PUBLIC_KEY: publicKey,
      ALLOWED_ORIGINS: front.proxy.url,
      IDENTITY_KEYS: site.keySet,
      CLOCK_SHIFT_FILE: shiftFiles.bff,
    },
  });
  await bff.start();
  const desk = await openDesk(service.url, service.output());
  const ledger = openLedger(join(serviceData, "service.sqlite"));
  return {
    front,
    back,
    bff,
    service,
    desk,
    ledger,
    site,
    serviceData,
    isSmallDisk,
    shiftClock(program, ms) {
      writeFileSync(shiftFiles[program], String(ms));
      ({ bff, service })[program].signal("SIGUSR2");
    },
    async dispose() {
      ledger.close();
      await Promise.all([bff.end("SIGKILL"), service.end("SIGKILL")]);
      await Promise.all([front, back].flatMap(({ proxy, link }) => [proxy.close(), link.close()]));
      if (isSmallDisk) execFileSync("umount", [serviceData]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startLine(target: () => number, random: SeededRandom): Promise<Line> {
  const link = await startHttpLink(target);
  const proxy = await startProxy(() => link.port, random.next);
  return { link, proxy };
}

/** Returns whether it worked. */
function mountSmallDisk(path: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", SMALL_DISK, "parley-faults", path], { stdio: "ignore" });
    return true;
  } catch {
    // Not allowed here: the kinds that need it disturb an ordinary disk in another way.
    return false;
  }
}
