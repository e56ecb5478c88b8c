import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Product } from "./product.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const runFile = promisify(execFile);

/**
 * A credential for the workspace of the product's embedded service, created by the operator's own command. It does not
 * block: a connection that the product closes meanwhile would be used again.
 */
export async function issueCredential({ dataDir }: Pick<Product, "dataDir">): Promise<string> {
  const run = async (...args: string[]) => {
    const command = [`${ROOT}tools/service-main.ts`, ...args, "--json"];
    const env = { PATH: process.env["PATH"], ["DATA_DIR"]: dataDir };
    const { stdout } = await runFile(process.execPath, command, { env });
    return JSON.parse(stdout) as unknown;
  };
  const [workspace] = (await run("workspace", "list")) as { id: string }[];
  const issued = await run("credential", "create", "--workspace", workspace?.id ?? "");
  return (issued as { credential: string }).credential;
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
