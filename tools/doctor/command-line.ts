import { parseArgs } from "node:util";
import * as z from "zod/mini";
import type { Config } from "../../bff/config.ts";
import { readConfig } from "../../bff/embedded-service.ts";
import { routingWarnings } from "../../bff/routing/settings.ts";
import { parseConfig as parseServiceConfig } from "../../service/config.ts";
import { ConfigError, type Environment, type ReadFile } from "../../shared/server/environment.ts";
import { proxyWarnings } from "../../shared/server/forwarded-watch.ts";
import { unreadVariables } from "../../shared/server/unread-variables.ts";
import { asksForHelp } from "../asks-for-help.ts";
import { examinePage, type SitePage } from "./examine-page.ts";
import { type Finding, fault, good, note } from "./finding.ts";

/** Why a process is not ready, and what else its operator should know; one sentence each. */
export const Health = z.object({ reasons: z.array(z.string()), notes: z.array(z.string()) });
export type Health = z.infer<typeof Health>;

export interface DoctorDeps {
  readonly args: readonly string[];
  readonly env: Environment;
  readonly readFile: ReadFile;
  /** Examines the service at `BASE_URL`. */
  readonly examineService: (config: Config) => Promise<readonly Finding[]>;
  /** What the process on this machine's port says of itself; undefined where none answers. */
  readonly readHealth: (config: Config) => Promise<Health | undefined>;
  /** Reads a page of the site; rejects where that fails. */
  readonly readPage: (url: string) => Promise<SitePage>;
}

const USAGE = `Examines the configuration, the running process, the service and a page of the site.

  npm run doctor
  npm run doctor -- --page https://www.example.com/

It leaves one customer named parley_doctor at the service. Exit code 0: it found no fault.
`;

const MARKS = { good: "ok    ", note: "note  ", fault: "WRONG " } as const;

/** Runs the command. Returns what to print and the exit code: 0 only where nothing is a fault, 2 for wrong arguments. */
export async function runDoctor(deps: DoctorDeps): Promise<{ output: string; exitCode: number }> {
  let pages: readonly string[];
  try {
    if (asksForHelp(deps.args)) return { output: USAGE, exitCode: 0 };
    const { values } = parseArgs({ args: [...deps.args], options: OPTIONS });
    pages = (values.page ?? []).map(pageUrl);
  } catch (error) {
    return { output: `${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`, exitCode: 2 };
  }
  const findings = await examine(deps, pages);
  const faults = findings.filter(({ level }) => level === "fault").length;
  const lines = findings.map(({ level, sentence }) => `${MARKS[level]}${sentence}`);
  const sum = faults === 0 ? "No fault found." : `${faults} ${faults === 1 ? "fault" : "faults"} found.`;
  return { output: `${[...lines, "", sum].join("\n")}\n`, exitCode: faults === 0 ? 0 : 1 };
}

const OPTIONS = { page: { type: "string", multiple: true } } as const;

function pageUrl(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol === "https:" || url?.protocol === "http:") return url.href;
  throw new Error(`--page ${JSON.stringify(text)} is not an http(s) address.`);
}

async function examine(deps: DoctorDeps, pages: readonly string[]): Promise<readonly Finding[]> {
  let config: Config;
  try {
    config = await readConfig(deps.env, deps.readFile);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults.map(({ name, fault: what, example }) =>
      fault("configuration", `${name} ${what} For example: ${example}`),
    );
  }
  const findings = [
    good("configuration", "The configuration is valid."),
    ...routingWarnings(config.routing).map((warning) => note("configuration", warning)),
    ...proxyWarnings(config.publicUrl, config.isProxyCountUnset).map((warning) =>
      note("configuration", warning),
    ),
    ...unreadVariables(deps.env, knownVariables(deps, config)).map((one) => note("configuration", one)),
    ...processFindings(config, await deps.readHealth(config)),
  ];
  if (config.baseUrl !== undefined) findings.push(...(await deps.examineService(config)));
  for (const url of pages) findings.push(...(await examineOne(deps, config, url)));
  return findings;
}

/** Without `BASE_URL` the process also runs the service, which reads variables of its own. */
function knownVariables({ env, readFile }: DoctorDeps, { baseUrl, variables }: Config): ReadonlySet<string> {
  if (baseUrl !== undefined) return variables;
  const service = parseServiceConfig({ ...env, PORT: undefined, HOST: undefined }, readFile);
  return new Set([...variables, ...service.variables]);
}

function processFindings({ port, baseUrl }: Config, health: Health | undefined): readonly Finding[] {
  if (health === undefined) {
    // Without BASE_URL the service is a part of the process, so there is nothing else to examine.
    const report = baseUrl === undefined ? fault : note;
    return [report("process", `No Parley answers on port ${port} of this machine. Start it by npm start.`)];
  }
  const { reasons, notes } = health;
  const faults = [...reasons, ...notes].map((sentence) => fault("process", sentence));
  return reasons.length > 0 ? faults : [good("process", `The process on port ${port} is ready.`), ...faults];
}

async function examineOne(deps: DoctorDeps, config: Config, url: string): Promise<readonly Finding[]> {
  try {
    const chatOrigin = config.ownOrigins[0] ?? "";
    return examinePage(await deps.readPage(url), { chatOrigin, allowedOrigins: config.allowedOrigins });
  } catch {
    return [fault("page", `${url} can't be read from this machine.`)];
  }
}
