import { matchesGlob } from "node:path";
import * as z from "zod/mini";

export interface Instruction {
  readonly name: string;
  readonly text: string;
}

export interface Stage {
  readonly name: string | undefined;
  readonly from: string;
  readonly instructions: readonly Instruction[];
}

/** Reads the stages of a Dockerfile: one instruction a line, none continued. */
export function parseDockerfile(text: string): Stage[] {
  const instructions = text.split("\n").flatMap((line): Instruction[] => {
    const [, name, rest] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    return name === undefined || rest === undefined ? [] : [{ name, text: rest }];
  });
  const starts = instructions.flatMap(({ name }, index) => (name === "FROM" ? [index] : []));
  return starts.map((start, index) => {
    const [from = "", , name] = instructions[start]?.text.split(" ") ?? [];
    return { from, name, instructions: instructions.slice(start + 1, starts[index + 1]) };
  });
}

/** The stage that becomes the image. */
export function lastStage(text: string): Stage {
  const stage = parseDockerfile(text).at(-1);
  if (!stage) throw new Error("The Dockerfile has no stage.");
  return stage;
}

const Words = z.array(z.string());

/** The words of a `CMD` or `HEALTHCHECK … CMD` in its JSON form, which runs without a shell. */
export function wordsOf(text: string): string[] {
  return Words.parse(JSON.parse(text.slice(text.indexOf("["))));
}

/** The last instruction of a name, which is the one that counts. */
export function lastOf(stage: Stage, name: string): string {
  return stage.instructions.findLast((instruction) => instruction.name === name)?.text ?? "";
}

/** The variables of the `ENV` lines, without quotes or spaces in their values. */
export function variablesOf(stage: Stage): Record<string, string> {
  const lines = stage.instructions.filter(({ name }) => name === "ENV").map(({ text }) => text);
  return Object.fromEntries(
    lines.flatMap((line) => [...line.matchAll(/(\w+)=(\S*)/g)].map(([, name, value]) => [name, value])),
  );
}

/** Whether the `.dockerignore` leaves a path of the context, or a folder of it, out. */
export function isIgnored(path: string, ignore: string): boolean {
  const patterns = ignore.split("\n").filter(Boolean);
  const parts = path.split("/");
  const prefixes = parts.map((_, index) => parts.slice(0, index + 1).join("/"));
  return patterns.some((pattern) => prefixes.some((prefix) => matchesGlob(prefix, pattern)));
}
