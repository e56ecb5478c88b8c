import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Product } from "./product.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** A credential for the workspace of the product's embedded service, created by the operator's own command. */
export function issueCredential({ dataDir }: Pick<Product, "dataDir">): string {
  const run = (...args: string[]) => {
    const command = [`${ROOT}tools/service-main.ts`, ...args, "--json"];
    const env = { PATH: process.env["PATH"], ["DATA_DIR"]: dataDir };
    const { status, stdout, stderr } = spawnSync(process.execPath, command, { env, encoding: "utf8" });
    if (status !== 0) throw new Error(`${args.join(" ")} failed: ${stderr}`);
    return JSON.parse(stdout) as unknown;
  };
  const [workspace] = run("workspace", "list") as { id: string }[];
  const issued = run("credential", "create", "--workspace", workspace?.id ?? "") as { credential: string };
  return issued.credential;
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
