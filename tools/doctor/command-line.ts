import { type Config, parseConfig } from "../../bff/config.ts";
import type { Finding } from "../../shared/api/doctor.ts";
import { ConfigError, type Environment } from "../../shared/server/environment.ts";
import { isOrigin, parseUrl } from "../../shared/server/origin.ts";
import { examinePage, type SitePage } from "./examine-page.ts";
import { diagnosisOf, fault, good } from "./finding.ts";

export interface DoctorDeps {
  readonly args: readonly string[];
  readonly env: Environment;
  readonly readFile: (path: string) => string;
  /** Looks at the service of BASE_URL. */
  readonly examine: (config: Config) => Promise<readonly Finding[]>;
  /** What the process that runs on this machine says of itself, where the service is embedded. */
  readonly askRunning: (config: Config) => Promise<readonly Finding[]>;
  /** Reads a page of the site. */
  readonly readPage: (url: string) => Promise<SitePage>;
}

const USAGE = `Says what is wrong with the configuration, the service and a page of the site.

  npm run doctor
  npm run doctor -- --page https://www.example.com/

It leaves one customer named parley_doctor at the service. Exit code 0: all is well.
`;

const MARKS = { good: "ok    ", note: "note  ", fault: "WRONG " } as const;

/** Runs the command; gives what to print and the exit code: 0 only where nothing is a fault. */
export async function runDoctor(deps: DoctorDeps): Promise<{ output: string; exitCode: number }> {
  const { args, env, readFile } = deps;
  if (args.includes("--help")) return { output: USAGE, exitCode: 0 };
  const pages = pagesOf(args);
  if (pages === undefined) return { output: USAGE, exitCode: 2 };
  let config: Config;
  try {
    config = parseConfig(env, readFile);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return told(
      error.faults.map(({ name, fault: what, example }) =>
        fault("configuration", `${name} ${what} For example: ${example}`),
      ),
    );
  }
  const findings = [good("configuration", "The configuration can be read, and nothing in it is wrong.")];
  findings.push(
    ...(config.baseUrl === undefined ? await deps.askRunning(config) : await deps.examine(config)),
  );
  for (const url of pages) findings.push(...(await examineOne(deps, config, url)));
  return told(findings);
}

/** The addresses after each `--page`; undefined where the arguments are none of ours. */
function pagesOf(args: readonly string[]): readonly string[] | undefined {
  const pages: string[] = [];
  for (let at = 0; at < args.length; at += 2) {
    const url = args[at] === "--page" ? parseUrl(args[at + 1] ?? "") : undefined;
    if (!url || !["http:", "https:"].includes(url.protocol) || !isOrigin(url.origin)) return undefined;
    pages.push(url.href);
  }
  return pages;
}

async function examineOne(deps: DoctorDeps, config: Config, url: string): Promise<readonly Finding[]> {
  try {
    const chatOrigin = config.ownOrigins[0] ?? "";
    return examinePage(await deps.readPage(url), { chatOrigin, allowedOrigins: config.allowedOrigins });
  } catch {
    return [fault("page", `${url} can't be read from here.`)];
  }
}

function told(findings: readonly Finding[]): { output: string; exitCode: number } {
  const { well } = diagnosisOf(findings);
  const lines = findings.map(({ level, sentence }) => `${MARKS[level]}${sentence}`);
  const faults = findings.filter(({ level }) => level === "fault").length;
  const sum = well ? "All is well." : `${faults} ${faults === 1 ? "thing is" : "things are"} wrong.`;
  return { output: `${[...lines, "", sum].join("\n")}\n`, exitCode: well ? 0 : 1 };
}
