import type { Deed, Passing } from "./http-link.ts";
import type { Cure, Kind } from "./kind.ts";
import type { SeededRandom } from "./random.ts";
import type { Toxic } from "./toxics.ts";
import type { World } from "./world.ts";

const PASS: Deed = { type: "pass" };
const SHORT: Kind["lastsMs"] = [300, 700];

/** Applies the same fault to both directions of the connection to the BFF. */
function toxic(name: string, make: (random: SeededRandom) => Toxic, lastsMs = SHORT): Kind {
  return {
    name,
    group: "front",
    lastsMs,
    arrange({ front }, random) {
      front.proxy.set("up", make(random));
      front.proxy.set("down", make(random));
      return () => front.proxy.cure();
    },
  };
}

const isWrite = ({ method }: Passing) => method === "POST" || method === "DELETE";

/** The fault applies to a share of what customers send. */
function deed(name: string, share: number, made: Deed, lastsMs = SHORT): Kind {
  const arrange = ({ front }: World, random: SeededRandom): Cure => {
    front.link.decide((passing) => (isWrite(passing) && random.chance(share) ? made : PASS));
    return () => front.link.decide(undefined);
  };
  return { name, group: "front", lastsMs, arrange };
}

/** Widget and BFF: ten kinds. */
export const FRONT_KINDS: readonly Kind[] = [
  toxic("latency", () => ({ type: "latency", latency: 300, jitter: 200 }), [800, 1200]),
  toxic("bandwidth", () => ({ type: "bandwidth", rate: 5000 }), [800, 1200]),
  {
    name: "down",
    group: "front",
    lastsMs: SHORT,
    async arrange({ front }) {
      await front.proxy.down();
      return () => front.proxy.up();
    },
  },
  deed("reset-before-response", 0.5, { type: "reset", done: false }),
  deed("reset-after-commit", 0.5, { type: "reset", done: true }),
  toxic("black-hole", () => ({ type: "timeout", timeout: "never" })),
  toxic("slicer", () => ({ type: "slicer", size: 1, delay: 0 })),
  {
    name: "limit-data",
    group: "front",
    lastsMs: [500, 900],
    arrange({ front }, random) {
      // Another byte for each period: early ones cut headers, late ones cut the log in the middle.
      const change = () => front.proxy.set("down", { type: "limit_data", bytes: random.between(0, 3000) });
      change();
      const timer = setInterval(change, 40);
      return () => {
        clearInterval(timer);
        return front.proxy.cure();
      };
    },
  },
  toxic("slow-close", (random) => ({ type: "slow_close", delay: random.between(50, 400) })),
  deed("duplicated-request", 0.7, { type: "twice" }),
];
