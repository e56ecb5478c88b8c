import type { Message } from "../../shared/message.ts";

/** The machine-readable mark of what software wrote: the agent and its model, as far as they are known. */
export function generatedBy({ role, generated }: Message): string | undefined {
  if (role !== "agent") return undefined;
  return generated ? [generated.by, generated.model].filter(Boolean).join(" ") : "";
}
