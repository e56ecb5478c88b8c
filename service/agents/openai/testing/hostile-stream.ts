/** How a stream must be taken: its text, its tool calls, and whether it is whole. */
export interface HostileStream {
  readonly name: string;
  readonly dialect: "chat" | "responses";
  readonly isJson?: boolean;
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly end: "whole" | "model_cut" | "model_malformed" | "model_failed" | "model_quota";
  readonly calls?: readonly (readonly [name: string, input: string])[];
}

/** One stream, as the tables write it. */
export type Row = readonly [
  name: string,
  stream: string | Uint8Array,
  text: string,
  end: HostileStream["end"],
  calls?: HostileStream["calls"],
];

export const DONE = "data: [DONE]\n\n";
export const LOOK_UP = [["look_up", '{"order":7}']] as const;
export const bytesOf = (...parts: readonly (string | Uint8Array)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part)));
