import { createWorkspace, issueCredential } from "../../service/auth/credential.ts";
import { LINK_MS } from "../../service/desk/people.ts";
import { sha256 } from "../../service/ids.ts";
import type { Store } from "../../service/store/store.ts";
import type { Credential, Workspace } from "../../service/store/workspaces.ts";
import { createSecret, type Random } from "../../shared/server/random.ts";
import { StartError } from "../../shared/server/start-error.ts";
import { parseCommand } from "../parse-command.ts";
import { eraseCustomer, exportCustomer } from "./customer-commands.ts";
import { DATABASE_USAGE } from "./database-commands.ts";

export interface CommandDeps {
  readonly store: Store;
  readonly random: Random;
  /** Takes one line of output. */
  readonly print: (line: string) => void;
}

export const USAGE = `Usage:
  npm run service                                            runs the service
  npm run service -- workspace create NAME [--json]
  npm run service -- workspace list [--json]
  npm run service -- credential create --workspace ID [--json]
  npm run service -- credential rotate --workspace ID [--id OLD] [--json]
  npm run service -- credential revoke --workspace ID --id CREDENTIAL [--json]
  npm run service -- desk link EMAIL --workspace ID [--json]     resets a password; prints a one-time link
  npm run service -- customer export --workspace ID --external-id ID
  npm run service -- customer erase --workspace ID --external-id ID
${DATABASE_USAGE}`;

type Options = ReturnType<typeof parse>["values"];

type Command = (deps: CommandDeps, options: Options, argument: string | undefined) => Promise<void>;

const MAX_NAME = 100;

const WITH_ARGUMENT: readonly string[] = ["workspace create", "desk link"];

const COMMANDS: Readonly<Record<string, Command>> = {
  async "workspace create"(deps, options, name) {
    if (!name || name.trim() !== name || name.length > MAX_NAME) {
      throw new StartError(`A workspace needs a name of 1 to ${MAX_NAME} characters.\n${USAGE}`);
    }
    const workspace = await createWorkspace(deps.store, deps.random, name);
    await issue(deps, options, workspace);
  },
  async "workspace list"(deps, options) {
    const workspaces = await deps.store.workspaces.list();
    const rows = await Promise.all(workspaces.map((workspace) => describe(deps.store, workspace)));
    if (options.json) deps.print(JSON.stringify(rows));
    else for (const row of rows) printRow(deps, row);
  },
  async "credential create"(deps, options) {
    await issue(deps, options, await findWorkspace(deps, options));
  },
  /** Without `--id` the newest one stays valid next to the new one, so that nothing fails during the deployment. */
  async "credential rotate"(deps, options) {
    const workspace = await findWorkspace(deps, options);
    await issue(deps, options, workspace, options.id === undefined ? "older" : { id: options.id });
  },
  async "credential revoke"(deps, options) {
    const workspace = await findWorkspace(deps, options);
    if (!options.id) throw new StartError(`Name the credential with --id.\n${USAGE}`);
    if (!(await deps.store.credentials.revoke(workspace.id, options.id))) {
      throw new StartError(`Workspace ${workspace.id} has no valid credential ${options.id}.`);
    }
    deps.print(options.json ? JSON.stringify({ revoked: options.id }) : `Revoked ${options.id}.`);
  },
  /** For an only admin who has lost the password. */
  async "desk link"(deps, options, email) {
    const workspace = await findWorkspace(deps, options);
    if (!email) throw new StartError(`Name the person by their e-mail address.\n${USAGE}`);
    const token = createSecret(deps.random);
    const person = await deps.store.deskPeople.renewByOperator(
      { workspaceId: workspace.id, email: email.toLowerCase() },
      { hash: sha256(token), lifeMs: LINK_MS },
    );
    const path = `/desk#setup=${token}`;
    if (options.json) deps.print(JSON.stringify({ userId: person.id, path }));
    else {
      deps.print(`The password of ${person.email} is removed, and all their sessions have ended.`);
      deps.print(`Append this to the desk's origin and open it once, within 24 hours: ${path}`);
    }
  },
  async "customer export"(deps, options) {
    await exportCustomer(deps.store.erasure, await findCustomer(deps, options), deps.print);
  },
  async "customer erase"(deps, options) {
    await eraseCustomer(deps.store.erasure, await findCustomer(deps, options), deps.print);
  },
};

/**
 * Runs one command.
 *
 * @throws StartError with a sentence (unknown command or option, missing id); Failure of the store
 */
export async function runCommand(args: readonly string[], deps: CommandDeps): Promise<void> {
  const { values, positionals } = parse(args);
  const [topic, action, argument, ...rest] = positionals;
  const name = `${topic} ${action}`;
  const command = COMMANDS[name];
  if (!command || rest.length > 0) throw new StartError(`Unknown command.\n${USAGE}`);
  if (argument !== undefined && !WITH_ARGUMENT.includes(name))
    throw new StartError(`${name} takes no argument ${argument}.\n${USAGE}`);
  await command(deps, values, argument);
}

function parse(args: readonly string[]) {
  const text = { type: "string" } as const;
  return parseCommand(
    args,
    { json: { type: "boolean" }, workspace: text, id: text, "external-id": text },
    USAGE,
  );
}

async function findWorkspace({ store }: CommandDeps, options: Options): Promise<Workspace> {
  if (!options.workspace) throw new StartError(`Name the workspace with --workspace.\n${USAGE}`);
  const workspace = await store.workspaces.find(options.workspace);
  if (!workspace) throw new StartError(`There is no workspace ${options.workspace}.`);
  return workspace;
}

async function findCustomer(deps: CommandDeps, options: Options) {
  const { id: workspaceId } = await findWorkspace(deps, options);
  const externalId = options["external-id"];
  if (!externalId) throw new StartError(`Name the customer with --external-id.\n${USAGE}`);
  return { workspaceId, externalId };
}

async function issue(
  deps: CommandDeps,
  options: Options,
  workspace: Workspace,
  ends?: { id: string } | "older",
): Promise<void> {
  const { credential, record, ended } = await issueCredential(deps.store, deps.random, {
    workspaceId: workspace.id,
    label: "command line",
    ...(ends ? { ends } : {}),
  });
  const made = { workspaceId: workspace.id, publicKey: workspace.publicKey, credential };
  if (options.json) {
    deps.print(JSON.stringify({ ...made, credentialId: record.id, ...(ends ? { ended } : {}) }));
    return;
  }
  deps.print(`workspace   ${made.workspaceId}`);
  deps.print(`public key  ${made.publicKey}`);
  deps.print(`credential  ${credential}  (${record.id}; shown this once)`);
  for (const id of ended) deps.print(`ended       ${id}`);
}

interface Row extends Pick<Workspace, "id" | "name" | "publicKey"> {
  readonly credentials: readonly Credential[];
}

async function describe(store: Store, { id, name, publicKey }: Workspace): Promise<Row> {
  return { id, name, publicKey, credentials: await store.credentials.list(id) };
}

function printRow({ print }: CommandDeps, row: Row): void {
  print(`${row.id}  ${row.name}  ${row.publicKey}`);
  for (const { id, label, createdAt, revokedAt } of row.credentials) {
    const state = revokedAt === undefined ? "live" : "revoked";
    print(`  ${id}  ${state}  ${label}  ${new Date(createdAt).toISOString()}`);
  }
}
