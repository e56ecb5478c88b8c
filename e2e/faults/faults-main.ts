import { parseArgs } from "node:util";
import { isGood, runCampaign, type Total } from "./campaign.ts";
import { runKillRounds } from "./kill-rounds.ts";
import { allKinds } from "./kinds.ts";
import { createSeededRandom } from "./random.ts";
import { SMALL, WHOLE } from "./run.ts";

const STOP_MS = 30_000;
const SMALL_STOP_MS = 2500;

/** Kills of the whole service behind the BFF; more than these go to its store alone, which takes a tenth of the time. */
const WHOLE_KILLS = 50;

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "3" },
    seed: { type: "string", default: "1" },
    kind: { type: "string", multiple: true },
    from: { type: "string", default: "0" },
    lanes: { type: "string", default: "2" },
    small: { type: "boolean", default: false },
  },
});

const unhandled: string[] = [];
process.on("unhandledRejection", (error) =>
  unhandled.push(error instanceof Error ? (error.stack ?? "") : String(error)),
);

const all = allKinds(values.small ? SMALL_STOP_MS : STOP_MS);
const kinds = values.kind ? all.filter(({ name }) => values.kind?.includes(name)) : all;
if (kinds.length === 0) throw new Error(`no such kind; there are: ${all.map(({ name }) => name).join(", ")}`);

const COLUMNS = ["runs", "messages", "lost", "doubled", "disordered", "false-sent", "ms"];
const row = (name: string, cells: readonly (string | number)[]) =>
  `${name.padEnd(24)}${cells.map((cell, at) => String(cell).padStart((COLUMNS[at]?.length ?? 0) + 3)).join("")}\n`;

process.stdout.write(row("kind", COLUMNS));
const print = ({ kind, runs, messages, lost, doubled, disordered, falseSent, ms, failures }: Total) => {
  process.stdout.write(row(kind, [runs, messages, lost, doubled, disordered, falseSent, ms]));
  for (const failure of failures) process.stdout.write(`  FAILED ${failure}\n`);
};
const runs = Number(values.runs);
const isKill = kinds.length === 1 && kinds[0]?.name === "sigkill-service";
const totals = await runCampaign({
  kinds,
  runs: isKill ? Math.min(runs, WHOLE_KILLS) : runs,
  firstRun: Number(values.from),
  seed: values.seed,
  size: values.small ? SMALL : WHOLE,
  lanes: Math.min(Number(values.lanes), kinds.length),
  onTotal: print,
});
for (const error of unhandled) process.stdout.write(`  FAILED unhandled: ${error}\n`);
let isSound = true;
if (isKill && runs > WHOLE_KILLS) {
  const killed = await runKillRounds(runs - WHOLE_KILLS, createSeededRandom(values.seed));
  const { rounds, acknowledged, lost, faults, ms } = killed;
  process.stdout.write(row("sigkill-service (store)", [rounds, acknowledged, lost, 0, 0, 0, ms]));
  for (const fault of faults) process.stdout.write(`  FAILED ${fault}\n`);
  isSound = lost === 0 && faults.length === 0;
}
process.exitCode = isSound && totals.every(isGood) && unhandled.length === 0 ? 0 : 1;
