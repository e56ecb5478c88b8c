import * as z from "zod/mini";
import { withoutSecrets } from "../../shared/safe-traits.ts";
import type { EnvironmentReader } from "../../shared/server/environment.ts";
import { readSecretList } from "../../shared/server/secret-list.ts";
import { Traits } from "../../shared/traits.ts";
import type { OpenSource, SourceKind } from "./source-kind.ts";
import { webhookKind } from "./webhook-source.ts";

/** Every kind of source that this program includes. A new one is added here. */
export const SOURCE_KINDS: readonly SourceKind[] = [webhookKind];

const EXAMPLE = `PROFILE_SOURCES=[{"name": "crm", "kind": "webhook", "secret": "whsec_…", "traits": ["plan"]}]`;

/** Only the BFF sets these; `page.` traits are what the page reported. */
const RESERVED = /^(identified|emailVerified|linkedTo|page\..*)$/;

const Entry = z.looseObject({
  name: z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,39}$/, "must be 1 to 40 of a-z, 0-9 and -")),
  kind: z.string(),
  workspace: z.optional(z.string()),
  traits: z
    .array(z.string())
    .check(
      z.refine((names) => names.every(isAllowed), "must be names of traits that are not reserved or secret"),
    ),
});

/** The sources that `PROFILE_SOURCES` lists, as JSON or as the path of a file that contains it. */
export function configureSources(
  reader: EnvironmentReader,
  kinds: readonly SourceKind[] = SOURCE_KINDS,
): readonly OpenSource[] {
  const refuse = (fault: string) => reader.refuse({ name: "PROFILE_SOURCES", fault, example: EXAMPLE });
  const entries = readSecretList(reader, "PROFILE_SOURCES", Entry, refuse);
  const names = entries.map(({ name }) => name);
  if (new Set(names).size < names.length) refuse("names a source twice.");
  return entries.flatMap((entry) => {
    const { kind, name, workspace, traits } = entry;
    const found = kinds.find((one) => one.kind === kind);
    if (!found) refuse(`${name}: kind must be one of ${kinds.map((one) => one.kind).join(", ")}.`);
    const secret = (field: string) =>
      readSecret(entry, field, reader, (fault) => refuse(`${name}: ${fault}`));
    return (
      found?.configure(
        { name, workspace, traits },
        { secret, refuse: (fault) => refuse(`${name}: ${fault}`) },
      ) ?? []
    );
  });
}

type Entry = z.infer<typeof Entry>;
type Refuse = (fault: string) => void;

function isAllowed(name: string): boolean {
  const { dropped } = withoutSecrets({ [name]: "" });
  return Traits.safeParse({ [name]: "" }).success && dropped.length === 0 && !RESERVED.test(name);
}

function readSecret(
  entry: Entry,
  field: string,
  { file }: EnvironmentReader,
  refuse: Refuse,
): string | undefined {
  const { [field]: direct, [`${field}File`]: path } = entry;
  if (typeof direct === "string" && path === undefined) return direct;
  if (typeof path === "string" && direct === undefined)
    return file(path, (fault) => refuse(`${field}File ${fault}.`))?.trim();
  refuse(`${field} or ${field}File must be set, and only one of them.`);
  return undefined;
}
