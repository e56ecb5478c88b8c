import type { Message } from "../../../shared/message.ts";
import type { AgentQuestion } from "../agent.ts";

/**
 * The body of a call: `RunAgentInput` of AG-UI, and nothing more on its top level, because some of its servers refuse
 * other fields. The turn of the neutral protocol is in `forwardedProps`.
 */
export function requestOf(question: AgentQuestion, id: string): Readonly<Record<string, unknown>> {
  const { text, messages, conversationId, locale, customerName, tools, actions, isDraft } = question;
  const before = messages.slice(0, -1).flatMap(messageOf);
  return {
    threadId: conversationId,
    runId: id,
    state: {},
    messages: [...before, { id, role: "user", content: text }],
    tools: tools
      .filter(({ effect }) => effect === "acts")
      .map(({ name, description, inputSchema }) => ({ name, description, parameters: inputSchema })),
    context: actions.map(({ tool, title, state, text }) => ({
      description: "An action of this conversation, and what verifiably became of it",
      value: JSON.stringify({ tool, title, state, text }),
    })),
    forwardedProps: {
      locale,
      customerName,
      isDraft,
      turn: { clientMessageId: id, content: { body: text, format: "plain" }, attachments: [] },
    },
  };
}

function messageOf({ id, role, body }: Message): { id: string; role: string; content: string }[] {
  if (role === "system") return [];
  return [{ id, role: role === "customer" ? "user" : "assistant", content: body }];
}
