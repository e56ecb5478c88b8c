import type * as z from "zod/mini";
import type { EnvironmentReader } from "./environment.ts";

/**
 * Returns the valid entries of a list that a variable holds as JSON, or the file that it names. Each fault goes to `refuse`
 * with its place, and quotes no value, because the entries may contain secrets.
 */
export function readSecretList<Entry>(
  reader: EnvironmentReader,
  name: string,
  schema: z.ZodMiniType<Entry>,
  refuse: (fault: string) => void,
): readonly Entry[] {
  return reader.items(name, refuse, { isSecret: true }).flatMap((item, index) => {
    const { data, error } = schema.safeParse(item);
    for (const issue of error?.issues ?? [])
      refuse(`${[index, ...issue.path].join(".")}: ${faultOf(issue)}.`);
    return data ?? [];
  });
}

function faultOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== "unrecognized_keys") return issue.message;
  return `has the unknown ${issue.keys.length === 1 ? "field" : "fields"} ${issue.keys.join(", ")}`;
}
