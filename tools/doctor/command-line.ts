import { parseArgs } from "node:util";
import * as z from "zod/mini";
import type { Config } from "../../bff/config.ts";
import { parseConfig as parseServiceConfig } from "../../service/config.ts";
import { findAgentFaults } from "../../service/start-faults.ts";
import { ConfigError, type Environment, type Fault, type ReadFile } from "../../shared/server/environment.ts";
import { proxyWarnings } from "../../shared/server/forwarded-watch.ts";
import { unreadVariables } from "../../shared/server/unread-variables.ts";
import { readConfig } from "../../start/embedded-service.ts";
import { routingWarnings } from "../../start/routing-faults.ts";
import { asksForHelp } from "../asks-for-help.ts";
import { counted } from "../counted.ts";
import { examinePage, type SitePage } from "./examine-page.ts";
import { type Finding, fault, good, note, unseen } from "./finding.ts";
import type { PublicAnswer } from "./read-public.ts";

/**
 * Why a process is not ready, and what else its operator should know; one sentence each. Only a BFF reports `status`: a
 * service on that port serves no panel.
 */
export const Health = z.object({
  status: z.string(),
  reasons: z.array(z.string()),
  notes: z.array(z.string()),
});
export type Health = z.infer<typeof Health>;

export interface DoctorDeps {
  readonly args: readonly string[];
  readonly env: Environment;
  readonly readFile: ReadFile;
  /** Examines the service at `BASE_URL`; also with a conversation of its own, if asked. */
  readonly examineService: (config: Config, withConversation: boolean) => Promise<readonly Finding[]>;
  /** Examines where the process stores its state. */
  readonly examineStores: (config: Config) => Promise<readonly Finding[]>;
  /** What answers under `publicUrl`; undefined where nothing answers. */
  readonly readPublic: (publicUrl: string) => Promise<PublicAnswer | undefined>;
  /** The report of the process on this machine's port about itself; undefined if none answers. */
  readonly readHealth: (config: Config) => Promise<Health | undefined>;
  /** Reads a page of the site; rejects where that fails. */
  readonly readPage: (url: string) => Promise<SitePage>;
}

const USAGE = `Examines the configuration, the store, the running process, the service and a page of the site.

  npm run doctor
  npm run doctor -- --page https://www.example.com/
  npm run doctor -- --conversation

Only a service at BASE_URL is called. It leaves one customer named parley_doctor there. With --conversation it also
starts a conversation, asks for a person in it and ends it: your team sees that. It says what it did not look at. Exit
code 0: it found no fault.
`;

const MARKS = { good: "ok    ", note: "note  ", fault: "WRONG ", unseen: "-     " } as const;

/** Runs the command. Returns what to print and the exit code: 0 only where nothing is a fault, 2 for wrong arguments. */
export async function runDoctor(deps: DoctorDeps): Promise<{ output: string; exitCode: number }> {
  let asked: Asked;
  try {
    if (asksForHelp(deps.args)) return { output: USAGE, exitCode: 0 };
    const { values } = parseArgs({ args: [...deps.args], options: OPTIONS });
    asked = { pages: (values.page ?? []).map(pageUrl), withConversation: values.conversation ?? false };
  } catch (error) {
    return { output: `${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`, exitCode: 2 };
  }
  const findings = await examine(deps, asked);
  const faults = findings.filter(({ level }) => level === "fault").length;
  const linesOf = (wanted: boolean) =>
    findings
      .filter(({ level }) => (level === "unseen") === wanted)
      .map(({ level, sentence }) => `${MARKS[level]}${sentence}`);
  const found = faults === 0 ? "No fault found" : `${counted(faults, "fault")} found`;
  const lines = [...linesOf(false), "", `${found} in what was examined. Not looked at:`, ...linesOf(true)];
  return { output: `${lines.join("\n")}\n`, exitCode: faults === 0 ? 0 : 1 };
}

const OPTIONS = {
  page: { type: "string", multiple: true },
  conversation: { type: "boolean" },
} as const;

interface Asked {
  readonly pages: readonly string[];
  readonly withConversation: boolean;
}

function pageUrl(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol === "https:" || url?.protocol === "http:") return url.href;
  throw new Error(`--page ${JSON.stringify(text)} is not an http(s) address.`);
}

async function examine(deps: DoctorDeps, { pages, withConversation }: Asked): Promise<readonly Finding[]> {
  let config: Config;
  try {
    config = await readConfig(deps.env, deps.readFile);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const unread = error.unread.map((one) => note(one));
    return [
      ...faultsOf(error.faults),
      ...unread,
      unseen("Everything else: no request is made with this configuration."),
    ];
  }
  // With BASE_URL the articles belong to the service there.
  const agentFaults = config.baseUrl === undefined ? await findAgentFaults(deps.env, deps.readFile) : [];
  const findings = [
    ...(agentFaults.length > 0 ? faultsOf(agentFaults) : [good("The configuration is valid.")]),
    ...routingWarnings(config.routing).map((warning) => note(warning)),
    ...proxyWarnings(config.publicUrl, config.isProxyCountUnset).map((warning) => note(warning)),
    ...unreadVariables(deps.env, knownVariables(deps, config)).map((one) => note(one)),
    ...(await deps.examineStores(config)),
    // Before the process is asked: this request shows it whether its proxy forwards addresses.
    ...(await examinePublic(deps, config)),
    ...processFindings(config, await deps.readHealth(config)),
  ];
  if (config.baseUrl !== undefined) findings.push(...(await deps.examineService(config, withConversation)));
  for (const url of pages) findings.push(...(await examineOne(deps, config, url)));
  return [...findings, ...unseenOf(config, pages)];
}

function faultsOf(faults: readonly Fault[]): readonly Finding[] {
  return faults.map(({ name, fault: what, example }) => fault(`${name} ${what} For example: ${example}`));
}

async function examinePublic(
  { readPublic }: DoctorDeps,
  { publicUrl, port }: Config,
): Promise<readonly Finding[]> {
  if (publicUrl === undefined) return [];
  const answer = await readPublic(publicUrl);
  const named = `${publicUrl} (PUBLIC_URL)`;
  if (answer === undefined) return [note(`${named} can't be reached from this machine.`)];
  if (answer === "other")
    return [fault(`${named} answers, and is no chat. Its proxy must lead to port ${port}.`)];
  const chat = good(`A chat answers at ${named}.`);
  if (answer === "chat") return [chat];
  if (answer === "file-unknown") return [chat, unseen(`A file of 10 MB: it got no answer at ${named}.`)];
  const limit =
    "If that is for its size, the proxy must accept bodies of 11 MB (nginx: client_max_body_size 11m; Caddy: request_body).";
  return [
    fault(
      `A chat answers at ${named}, but a file of 10 MB got ${answer.refusedWith} from something in front of it. ${limit}`,
    ),
  ];
}

/** The parts that no check of this command examines. */
function unseenOf({ baseUrl, publicUrl, identity }: Config, pages: readonly string[]): readonly Finding[] {
  return [
    ...(baseUrl === undefined
      ? [
          unseen(
            "The endpoints of the embedded service, with or without --conversation: only a service at BASE_URL is called.",
          ),
          unseen("The contents of the database: npm run service -- check reads them."),
        ]
      : [
          unseen(
            "Messages, events and whatever else the service declares: npm run test:contract calls all of it, in a workspace for tests.",
          ),
        ]),
    ...(publicUrl === undefined
      ? []
      : [
          unseen(
            "Whether the proxy passes each event on at once: in the chat, an answer must appear bit by bit.",
          ),
        ]),
    ...(identity.keys?.kind === "address" ? [unseen("The address in IDENTITY_KEYS.")] : []),
    ...(pages.length === 0 ? [unseen("The pages of the site: npm run doctor -- --page URL reads one.")] : []),
  ];
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
    return [report(`No chat answers on port ${port} of this machine. Start it by npm start.`)];
  }
  const { reasons, notes } = health;
  const faults = [...reasons, ...notes].map((sentence) => fault(sentence));
  return reasons.length > 0 ? faults : [good(`The process on port ${port} is ready.`), ...faults];
}

async function examineOne(deps: DoctorDeps, config: Config, url: string): Promise<readonly Finding[]> {
  try {
    const { ownOrigins, allowedOrigins } = config;
    return examinePage(await deps.readPage(url), { chatOrigins: ownOrigins, allowedOrigins });
  } catch {
    return [fault(`${url} can't be read from this machine.`)];
  }
}
