import { loadavg } from "node:os";
import { measureAnswered } from "./server/answered.ts";
import { measureBesideResume } from "./server/beside.ts";
import { measureFloods } from "./server/floods.ts";
import { measureGrowth } from "./server/growth.ts";
import { measureHotPath } from "./server/hot-path.ts";
import { canMeasure } from "./server/program.ts";
import { measureStreamsAlone, measureStreamsEmbedded } from "./server/streams.ts";
import { measureVisitors } from "./server/visitors.ts";

/**
 * Measures the servers' cost, side by side in one run; `node bench/server.ts NAME …` measures only those. Each budget
 * is a ratio to something measured in the same run, or a count, so a slow machine fails no budget
 * (docs/decisions/0049).
 */
const SECONDS = 4;
const CONVERSATIONS = Number(process.env["CONVERSATIONS"] ?? 10_000);
const VISITORS = Number(process.env["VISITORS"] ?? 20_000);

interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly most: number;
}

const kB = (bytes: number) => bytes / 1000;
const percent = (share: number) => `${Math.round(share * 100)} %`;
const mB = (bytes: number) => bytes / 1_000_000;

const MEASUREMENTS: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  async message() {
    const { bff, bare } = await measureHotPath(SECONDS);
    const said = ({ perSecond, cpuUs, p99Ms }: typeof bff) =>
      `${Math.round(perSecond)}/s, ${cpuUs.toFixed(0)} µs of processor, p99 ${p99Ms.toFixed(1)} ms`;
    console.log(`     bare Hono and undici: ${said(bare)}\n     BFF: ${said(bff)}`);
    return [
      { name: "one message, processor time to bare", value: bff.cpuUs / bare.cpuUs, unit: "x", most: 1.67 },
      { name: "one message, p99 to bare", value: bff.p99Ms / bare.p99Ms, unit: "x", most: 2 },
    ];
  },
  async streams() {
    const alone = await measureStreamsAlone();
    const embedded = await measureStreamsEmbedded();
    for (const [where, { objects }] of Object.entries({ BFF: alone, "one process": embedded }))
      console.log(`     an open stream, ${where}: ${kB(objects).toFixed(1)} kB of objects`);
    return [
      { name: "an open stream, BFF", value: kB(alone.resident), unit: "kB", most: 20 },
      { name: "an open stream, one process", value: kB(embedded.resident), unit: "kB", most: 40 },
      {
        name: "10,000 idle streams, one process",
        value: embedded.coreShareOf10k * 100,
        unit: "% of a core",
        most: 3,
      },
    ];
  },
  async beside() {
    const { quietMs, besideMs } = await measureBesideResume();
    console.log(
      `     a send's p99: ${quietMs.toFixed(1)} ms quiet, ${besideMs.toFixed(1)} ms beside long resumes`,
    );
    return [
      { name: "a send beside long resumes, p99 to quiet", value: besideMs / quietMs, unit: "x", most: 3 },
    ];
  },
  async floods() {
    const floods = await measureFloods();
    return floods.map(({ name, quietMs, besideMs, taken, refused, serverShare, share }) => {
      const shares = `server ${percent(serverShare)}, flood ${percent(share)} of a core`;
      console.log(
        `     a send's p99: ${quietMs.toFixed(1)} ms quiet, ${besideMs.toFixed(1)} ms beside a flood of ${name} (${taken} taken, ${refused} refused; ${shares})`,
      );
      return {
        name: `a send beside a flood of ${name}, p99 to quiet`,
        value: besideMs / quietMs,
        unit: "x",
        most: 3,
      };
    });
  },
  async answered() {
    return [
      {
        name: "one message that the agent answers",
        value: await measureAnswered(),
        unit: "ms of processor",
        most: 0.8,
      },
    ];
  },
  async memory() {
    const { beforeMb, afterMb } = await measureGrowth(CONVERSATIONS);
    console.log(
      `     memory: ${beforeMb.toFixed(0)} MB, ${afterMb.toFixed(0)} MB after ${CONVERSATIONS} conversations`,
    );
    return [{ name: "memory while conversations are made", value: afterMb / beforeMb, unit: "x", most: 1.2 }];
  },
  async visitors() {
    const { count, before, peak, after, again } = await measureVisitors(VISITORS);
    const said = { before, [`with ${count} anonymous visitors`]: peak, "after their sessions": after, again };
    for (const [when, { heapUsed, rss }] of Object.entries(said))
      console.log(`     ${when}: heap ${mB(heapUsed).toFixed(1)} MB, resident ${mB(rss).toFixed(0)} MB`);
    return [
      {
        name: "heap after anonymous visitors",
        value: after.heapUsed / before.heapUsed,
        unit: "x",
        most: 1.2,
      },
      { name: "resident memory when they come again", value: again.rss / peak.rss, unit: "x", most: 1.2 },
    ];
  },
};

if (!canMeasure()) {
  console.log("The servers are measured on Linux only: there is no /proc here.");
} else {
  console.log(`load ${loadavg()[0]?.toFixed(1)}`);
  const asked = process.argv.slice(2);
  for (const [name, measure] of Object.entries(MEASUREMENTS)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    for (const { name: what, value, unit, most } of await measure()) {
      const ok = value <= most;
      if (!ok) process.exitCode = 1;
      console.log(`${ok ? "ok  " : "OVER"} ${what}: ${value.toFixed(2)} ${unit} (at most ${most})`);
    }
  }
}
