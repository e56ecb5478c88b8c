import * as z from "zod/mini";
import type { EnvironmentReader } from "../../shared/server/environment.ts";
import { isLoopback, parseUrl } from "../../shared/server/origin.ts";
import { readSecretList } from "../../shared/server/secret-list.ts";

const Named = z.object({
  name: z.string().check(z.regex(/^[A-Za-z0-9_.-]{1,128}$/, "must be 1 to 128 of A-Z, a-z, 0-9, _, . and -")),
});

/** In place of a value: the field is there, and not empty. */
export const ANY_VALUE = "*";
const Scalar = z.union([
  // "re_*" and "*" in a list look like patterns, but no result would ever match them.
  z.string().check(z.refine((text) => !text.includes(ANY_VALUE), 'may have * only as "*", for any value')),
  z.number(),
  z.boolean(),
]);

/** Values that a result has where the tool did its work: one of a list, an empty list for `[]`, any value for "*". */
export interface DoneSign {
  readonly [field: string]: DoneValue;
}
type Scalar = z.infer<typeof Scalar>;
type DoneValue = Scalar | Scalar[] | DoneSign;

const DoneSign: z.ZodMiniType<DoneSign> = z
  .record(
    z.string(),
    z.union([z.literal(ANY_VALUE), Scalar, z.array(Scalar), z.lazy(() => DoneSign)], {
      error:
        'must be a text without *, a number, true, false, a list of these, "*" for any value, or an object of these',
    }),
    "must be an object",
  )
  .check(z.refine((sign) => Object.keys(sign).length > 0, "must name a field"));

const ToolEntry = z
  .strictObject({
    ...Named.shape,
    /** The owner's word: what a server says about its own tools is not trusted. */
    effect: z.enum(["reads", "acts"]),
    confirm: z.optional(z.enum(["customer", "person"])),
    title: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
    done: z.optional(DoneSign),
  })
  .check(
    z.refine(({ effect, confirm }) => effect === "acts" || confirm === undefined, {
      path: ["confirm"],
      error: "is for a tool that acts; this one reads, so nobody has to confirm it",
    }),
    z.refine(({ effect, done }) => effect === "acts" || done === undefined, {
      path: ["done"],
      error: "is for a tool that acts; this one reads, so nothing is shown as done",
    }),
  );

const HeaderValue = z.string().check(z.regex(/^[\x20-\x7e]{1,4096}$/, "must be printable ASCII"));

const ServerEntry = z.strictObject({
  name: z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,39}$/, "must be 1 to 40 of a-z, 0-9 and -")),
  url: z.string().check(z.refine(isAllowedUrl, "must be https, or http on this machine, without a user")),
  /** A value is a text, or `{file}` with the path of a secret. */
  headers: z.optional(
    z.record(
      z.string().check(z.regex(/^[A-Za-z0-9-]{1,64}$/, "must be the name of a header")),
      z.union([HeaderValue, z.strictObject({ file: z.string() })]),
    ),
  ),
  tools: z.array(ToolEntry).check(
    z.minLength(1),
    z.maxLength(100),
    z.refine((tools) => namedTwice(tools).length === 0, {
      error: ({ input }) => `names these tools twice: ${namedTwice(input).join(", ")}`,
      // Beside the other faults of the entry.
      when: () => true,
    }),
  ),
});

export type ListedTool = z.infer<typeof ToolEntry>;

/** A server whose entry was read: its secrets are in `headers`. */
export interface McpServerEntry {
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly tools: readonly ListedTool[];
}

const EXAMPLE =
  'MCP_SERVERS=[{"name": "shop", "url": "https://shop.example/mcp", "tools": [{"name": "find_order", "effect": "reads"}]}]';

/** The servers that `MCP_SERVERS` lists, as JSON or as the path of a file that contains it. */
export function configureMcpServers(reader: EnvironmentReader): readonly McpServerEntry[] {
  const refuse = (fault: string) => reader.refuse({ name: "MCP_SERVERS", fault, example: EXAMPLE });
  const entries = readSecretList(reader, "MCP_SERVERS", ServerEntry, refuse);
  for (const name of namedTwice(entries)) refuse(`names the server ${name} twice.`);
  return entries.map(({ name, url, headers, tools }) => ({
    name,
    url,
    tools,
    headers: readHeaders(headers ?? {}, reader, (fault) => refuse(`${name}: ${fault}`)),
  }));
}

function readHeaders(
  headers: Readonly<Record<string, string | { readonly file: string }>>,
  reader: EnvironmentReader,
  refuse: (fault: string) => void,
): Record<string, string> {
  const read: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const refuseFile = (fault: string) => refuse(`the header ${name} ${fault}.`);
    const given = typeof value === "string" ? value : reader.file(value.file, refuseFile)?.trim();
    if (given === undefined) continue;
    const text = HeaderValue.safeParse(given);
    if (text.success) read[name] = text.data;
    else refuse(`the header ${name} must be printable ASCII.`);
  }
  return read;
}

/** The valid names that are given more than once, also among entries of another form. */
function namedTwice(entries: unknown): readonly string[] {
  const names = [entries].flat().flatMap((entry) => Named.safeParse(entry).data?.name ?? []);
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}

function isAllowedUrl(text: string): boolean {
  const url = parseUrl(text);
  if (url?.username !== "" || url.password !== "" || url.hash !== "") return false;
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url));
}
