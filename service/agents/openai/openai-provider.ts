import type { EnvironmentReader } from "../../../shared/server/environment.ts";
import type { AgentQuestion } from "../agent.ts";
import { configureKnowledge, type Knowledge } from "../knowledge/knowledge-library.ts";
import { madePassage } from "../knowledge/made-passage.ts";
import type { Passage } from "../knowledge/passages.ts";
import { plainTextOf } from "../knowledge/ranking/chunks.ts";
import type { AgentProvider } from "../provider.ts";
import { chatDialect } from "./chat-dialect.ts";
import { createModelClient } from "./model-client.ts";
import { createModelServer, type ServerOptions } from "./model-server.ts";
import { createOpenaiAgent } from "./openai.ts";
import { MAX_SOURCE } from "./prompt.ts";
import { responsesDialect } from "./responses-dialect.ts";
import { createServerHealth } from "./server-health.ts";
import type { Source } from "./sources.ts";
import { createSpentFile } from "./spent-file.ts";
import { createTokenBudget } from "./token-budget.ts";
import { readPrice } from "./token-price.ts";

/** A passage with a lower probability by words is not worth a call: the model would have nothing to answer with. */
const LEAST_PROBABILITY = 0.03;
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
    return {
      id: "openai",
      findFaults: () => knowledge.findFaults(),
      async open(deps) {
        const { clock, log, dataDir, stopping } = deps;
        const library = await knowledge.open(deps);
        const dialect = api === "responses" ? responsesDialect : chatDialect;
        const servers = [first, second]
          .flatMap((options) => options ?? [])
          .map((options) => createModelServer(options, { dialect, clock }));
        const health = createServerHealth(servers, { clock, log });
        const close = () => {
          for (const server of servers) server.close();
        };
        stopping.addEventListener("abort", close, { once: true });
        health.start(stopping);
        return createOpenaiAgent({
          client: createModelClient(servers, { clock, random: Math.random, onOutcome: health.onOutcome }),
          findPassages: (question, signal) => passagesFor(library.current(), question, signal),
          budget: createTokenBudget(limits, clock, createSpentFile(dataDir, log)),
          instructions,
          folder: library.folder,
          unavailable: () => health.unavailable() ?? library.unavailable(),
          isWaiting: () => health.unavailable() !== undefined && library.unavailable() === undefined,
          notes: () => [...health.notes(), ...library.notes()],
          onLimit: (limit) => log.warn({ agent: "openai", limit }, "a limit of tokens is reached"),
          onLeftOut: (sentences) =>
            log.info({ agent: "openai", sentences }, "sentences without a source were left out"),
        });
      },
    };
  },
};

async function passagesFor(
  knowledge: Knowledge | undefined,
  { text, messages }: AgentQuestion,
  signal: AbortSignal,
): Promise<Source[]> {
  const before = messages
    .slice(0, -1)
    .filter(({ role }) => role !== "system")
    .map(({ role, body }) => ({
      by: role === "customer" ? ("customer" as const) : ("support" as const),
      text: body,
    }));
  const ranking = await knowledge?.vectors?.rank(text, signal);
  const found = knowledge?.search.find({ text, before, ...(ranking ? { ranking } : {}) }).passages ?? [];
  // The probability knows only words: a question in another language than the articles has none of them.
  const least = ranking ? 0 : LEAST_PROBABILITY;
  return found
    .filter(({ probability }) => probability >= least)
    .map((passage) => ({
      id: passage.article.id,
      title: passage.article.title,
      url: passage.article.url,
      text: textOf(passage),
      isPublic: true,
      made: madePassage(passage, "found"),
    }));
}

/** The passage, and the others of its article that answer nearly as well, as far as they fit into one source. */
function textOf({ article, unit, also }: Passage): string {
  const [best = "", ...others] = [unit, ...also].map(({ chunk: { section, passages } }) => {
    const text = plainTextOf(passages);
    return section.heading === article.title ? text : `${section.heading}\n${text}`;
  });
  return others.reduce((text, other) => {
    const longer = `${text}\n\n${other}`;
    return longer.length > MAX_SOURCE ? text : longer;
  }, best);
}

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
