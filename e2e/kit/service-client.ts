import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Product } from "./product.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const runFile = promisify(execFile);

type Place = Pick<Product, "dataDir">;

/**
 * Runs an operator's command in the service's folder. It does not block: a connection that the product closes
 * meanwhile would be used again.
 */
export async function operate({ dataDir }: Place, ...args: string[]): Promise<string> {
  const command = [`${ROOT}tools/service-main.ts`, ...args];
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, ["DATA_DIR"]: dataDir };
  const { stdout } = await runFile(process.execPath, command, { env });
  return stdout;
}

/** Creates a workspace. */
export async function createWorkspace(place: Place): Promise<{ credential: string; publicKey: string }> {
  const created = await operate(place, "workspace", "create", "shop", "--json");
  return JSON.parse(created) as { credential: string; publicKey: string };
}

async function workspaceOf(place: Place): Promise<string> {
  const [workspace] = JSON.parse(await operate(place, "workspace", "list", "--json")) as { id: string }[];
  return workspace?.id ?? "";
}

/** A credential for the workspace of the product's embedded service, created by the operator's own command. */
export async function issueCredential(place: Place): Promise<string> {
  const workspace = await workspaceOf(place);
  const issued = await operate(place, "credential", "create", "--workspace", workspace, "--json");
  return (JSON.parse(issued) as { credential: string }).credential;
}

/** Erases all data of a customer by the operator's own command. */
export async function eraseCustomer(place: Place, externalId: string): Promise<void> {
  const workspace = await workspaceOf(place);
  await operate(place, "customer", "erase", "--workspace", workspace, "--external-id", externalId);
}

/** Calls of another application of the workspace, directly at `/v1`. */
export function talkToService(origin: string, credential: string) {
  return async (method: string, path: string, body: unknown, token = credential): Promise<unknown> => {
    const answer = await fetch(`${origin}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
    return JSON.parse(text) as unknown;
  };
}
