import type { ToolCall } from "./model-event.ts";
import { ModelFault } from "./model-fault.ts";

/** More calls than this in one answer, or longer input, is a runaway model. */
const MAX_CALLS = 16;
const MAX_INPUT = 64 * 1024;

export interface CallPiece {
  readonly index: number | undefined;
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly input: string;
}

/**
 * Joins tool calls that arrive in pieces. Servers number them by `index`; some leave it out, and some give every call
 * the same one, so a new id also begins a new call.
 */
export function createCallPieces(): { add(piece: CallPiece): void; whole(): ToolCall[] } {
  const calls: { index: number | undefined; id: string | undefined; name: string; input: string }[] = [];
  return {
    add({ index, id, name, input }) {
      const same = calls.findLast((call) => index === undefined || call.index === index);
      const isNew = !same || (id !== undefined && same.id !== undefined && same.id !== id);
      const call = isNew ? { index, id, name: "", input: "" } : same;
      if (isNew) calls.push(call);
      call.id ??= id;
      // Some servers repeat the name with each piece.
      if (call.name === "") call.name = name ?? "";
      call.input += input;
      if (calls.length > MAX_CALLS || call.input.length > MAX_INPUT) {
        throw new ModelFault("model_malformed", "The model sent too many tool calls, or too long ones.");
      }
    },
    whole: () =>
      calls.map(({ id, name, input }, at) => ({ id: id ?? `call_${at + 1}`, name, input: input || "{}" })),
  };
}
