import type { EnvironmentReader } from "../../../shared/server/environment.ts";
import { readWebhookKey } from "../../http/standard-webhook.ts";
import type { AgentProvider } from "../provider.ts";

const NOWHERE = new URL("http://localhost");
/** Replaces a secret that was refused. Never used, because such a start fails. */
const NO_KEY = Buffer.alloc(32);

/** The owner's own agent, called over HTTP: `AGENT_HTTP_URL`, `AGENT_HTTP_SECRET`. */
export const httpProvider: AgentProvider = {
  id: "http",
  configure(reader) {
    const url = readUrl(reader) ?? NOWHERE;
    const key = readKey(reader) ?? NO_KEY;
    return {
      id: "http",
      findFaults: async () => [],
      async open({ clock, stopping }) {
        const { createHttpAgent } = await import("./http-agent.ts");
        return createHttpAgent({ url, key }, { clock, stopping });
      },
    };
  },
};

function readUrl(reader: EnvironmentReader): URL | undefined {
  const name = "AGENT_HTTP_URL";
  const url = URL.parse(reader.text(name) ?? "");
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url;
  const fault = "must be an http(s) address without a user or password in it.";
  reader.refuse({ name, fault, example: `${name}=https://agent.example.com/answer` });
  return undefined;
}

function readKey(reader: EnvironmentReader): Buffer | undefined {
  const name = "AGENT_HTTP_SECRET";
  const key = readWebhookKey(reader.textOrFile(name, `${name}=whsec_…`) ?? "");
  const example = `${name}=whsec_$(openssl rand -base64 32)`;
  if (!key) reader.refuse({ name, fault: "must be whsec_ and base64 of 24 to 64 bytes.", example });
  return key;
}
