import type { Role } from "../../shared/message.ts";
import type { Texts } from "./texts.ts";

/** The displayed name of a message's author. */
export function authorOf(texts: Texts, role: Role, name: string | undefined): string {
  if (role === "customer") return texts.you;
  if (role === "agent") return texts.agent;
  return role === "human" ? (name ?? texts.human) : texts.system;
}
