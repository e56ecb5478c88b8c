import type { EnvironmentReader } from "../../../shared/server/environment.ts";
import { configureKnowledge } from "../knowledge/configure-knowledge.ts";
import type { AgentProvider } from "../provider.ts";
import type { ServerOptions } from "./model-server.ts";
import { readPrice } from "./token-price.ts";

const MAX_TOKENS = 999_999_999;
const MAX_INSTRUCTIONS = 20_000;

/** The agent that asks the owner's own model, at any server that speaks Chat Completions or Responses. */
export const openaiProvider: AgentProvider = {
  id: "openai",
  configure(reader) {
    const knowledge = configureKnowledge(reader);
    const first = readServer(reader, "AGENT_OPENAI_", true);
    const second = readServer(reader, "AGENT_OPENAI_FALLBACK_", false);
    const api = reader.word("AGENT_OPENAI_API", ["chat", "responses"], "chat");
    const instructions = readInstructions(reader);
    const limits = {
      conversation: readTokens(reader, "AGENT_OPENAI_CONVERSATION_TOKENS", 100_000),
      customer: readTokens(reader, "AGENT_OPENAI_CUSTOMER_TOKENS", 300_000),
      day: readTokens(reader, "AGENT_OPENAI_DAY_TOKENS", 5_000_000),
    };
    const servers = [first, second].flatMap((options) => options ?? []);
    const settings = { servers, api, instructions, limits };
    return {
      id: "openai",
      findFaults: () => knowledge.findFaults(),
      async open(deps) {
        const { openOpenaiAgent } = await import("./open-openai-agent.ts");
        return openOpenaiAgent(settings, await knowledge.open(deps), deps);
      },
    };
  },
};

function readServer(reader: EnvironmentReader, prefix: string, isNeeded: boolean): ServerOptions | undefined {
  const name = `${prefix}BASE_URL`;
  const example = `${name}=http://localhost:11434/v1`;
  const given = reader.text(name);
  const model = reader.text(`${prefix}MODEL`);
  const price = readPrice(reader, `${prefix}PRICE`);
  const apiKey = reader.secret(`${prefix}API_KEY`, `${prefix}API_KEY=sk-…`);
  if (!isNeeded && [given, model, price, apiKey].every((one) => one === undefined)) return undefined;
  if (model === undefined)
    reader.refuse({ name: `${prefix}MODEL`, fault: "must be set.", example: `${prefix}MODEL=llama3.3` });
  const baseUrl = URL.parse(given ?? "");
  if (!baseUrl || !/^https?:$/.test(baseUrl.protocol) || baseUrl.username || baseUrl.password) {
    const form = "must be an http(s) address without a user or password in it.";
    reader.refuse({ name, fault: given === undefined ? "must be set." : form, example });
    return undefined;
  }
  return { variable: name, baseUrl, model: model ?? "", apiKey, price };
}

function readInstructions(reader: EnvironmentReader): string | undefined {
  const name = "AGENT_INSTRUCTIONS";
  const path = reader.text(name);
  if (path === undefined) return undefined;
  const example = `${name}=/etc/parley/instructions.md`;
  const text = reader.file(path, (fault) => reader.refuse({ name, fault: `${fault}.`, example }));
  if (text !== undefined && text.length > MAX_INSTRUCTIONS)
    reader.refuse({ name, fault: `names a file of more than ${MAX_INSTRUCTIONS} characters.`, example });
  return text?.trim() || undefined;
}

/** 0 is no limit. */
function readTokens(reader: EnvironmentReader, name: string, fallback: number): number {
  return reader.integer(name, { min: 0, max: MAX_TOKENS, fallback }) || Number.POSITIVE_INFINITY;
}
