import type { Agent, AgentQuestion } from "../agent.ts";
import { madePassage } from "../knowledge/made-passage.ts";
import type { Knowledge } from "../knowledge/open-knowledge.ts";
import type { Passage } from "../knowledge/passages.ts";
import { plainTextOf } from "../knowledge/ranking/chunks.ts";
import type { Library } from "../knowledge/sources/library.ts";
import type { AgentDeps } from "../provider.ts";
import { chatDialect } from "./chat-dialect.ts";
import { createModelClient } from "./model-client.ts";
import { createModelServer, type ServerOptions } from "./model-server.ts";
import { createOpenaiAgent } from "./openai.ts";
import { MAX_SOURCE } from "./prompt.ts";
import { responsesDialect } from "./responses-dialect.ts";
import { createServerHealth } from "./server-health.ts";
import type { Source } from "./sources.ts";
import { createSpentFile } from "./spent-file.ts";
import { createTokenBudget, type TokenLimits } from "./token-budget.ts";

/** A passage with a lower probability by words is not worth a call: the model would have nothing to answer with. */
const LEAST_PROBABILITY = 0.03;

export interface OpenaiSettings {
  /** The second one answers when the first does not. */
  readonly servers: readonly ServerOptions[];
  readonly api: "chat" | "responses";
  readonly instructions: string | undefined;
  readonly limits: TokenLimits;
}

/** Opens the agent that asks the owner's own model, with the articles of `library` as its sources. */
export function openOpenaiAgent(
  settings: OpenaiSettings,
  library: Library<Knowledge>,
  deps: AgentDeps,
): Agent {
  const { clock, log, dataDir, stopping } = deps;
  const dialect = settings.api === "responses" ? responsesDialect : chatDialect;
  const servers = settings.servers.map((options) => createModelServer(options, { dialect, clock }));
  const health = createServerHealth(servers, { clock, log });
  const close = () => {
    for (const server of servers) server.close();
  };
  stopping.addEventListener("abort", close, { once: true });
  health.start(stopping);
  return createOpenaiAgent({
    client: createModelClient(servers, { clock, random: Math.random, onOutcome: health.onOutcome }),
    findPassages: (question, signal) => passagesFor(library.current(), question, signal),
    budget: createTokenBudget(settings.limits, clock, createSpentFile(dataDir, log)),
    instructions: settings.instructions,
    folder: library.folder,
    unavailable: () => health.unavailable() ?? library.unavailable(),
    isWaiting: () => health.unavailable() !== undefined && library.unavailable() === undefined,
    notes: () => [...health.notes(), ...library.notes()],
    onLimit: (limit) => log.warn({ agent: "openai", limit }, "a limit of tokens is reached"),
    onLeftOut: (sentences) =>
      log.info({ agent: "openai", sentences }, "sentences without a source were left out"),
  });
}

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
