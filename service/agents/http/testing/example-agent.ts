import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

/** The copyable agent of examples/, as its README starts it. */
export async function startExampleAgent(secret: string): Promise<{ url: string; stop(): void }> {
  const child = spawn(process.execPath, ["examples/agent-http/agent.mjs"], {
    cwd: ROOT,
    env: { PATH: process.env["PATH"], AGENT_HTTP_SECRET: secret, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  child.stdout.resume();
  return { url: line.toString().trim(), stop: () => void child.kill() };
}
