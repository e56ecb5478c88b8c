import { parseArgs } from "node:util";
import { importJWK, SignJWT } from "jose";
import { jsonOf } from "../../shared/json.ts";
import type { Random } from "../../shared/server/random.ts";
import { asksForHelp } from "../asks-for-help.ts";
import type { CommandResult } from "../command-result.ts";
import { ALGORITHMS, createKey, type Jwk } from "./create-key.ts";

export const USAGE = `npm run identity -- key create [--alg ES256|EdDSA|HS256] [--kid ID] [--dir DIR] [--print]
npm run identity -- token --sub ID [--name NAME] [--email ADDRESS] [--email-verified] [--locale de]
                    [--trait plan=enterprise ...] [--life SECONDS] [--aud SITE_ID] [--dir DIR] [--key FILE]

"key create" creates a key for identity tokens. It writes signing-key.json, which belongs on the site's server, and adds
the verifying part to keys.json, for IDENTITY_KEYS. --print prints both instead.
"token" signs a token with signing-key.json, to try it. It expires after 300 seconds and works once.
DIR is ./data/identity, or the folder identity in DATA_DIR.
`;

export interface IdentityCommand {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly readFile: (path: string) => string;
  /** Writes a file that only its owner may read, and creates its folder. */
  readonly writeFile: (path: string, text: string) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly random: Random;
  readonly newId: () => string;
}

const OPTIONS = {
  alg: { type: "string" },
  kid: { type: "string" },
  dir: { type: "string" },
  print: { type: "boolean" },
  key: { type: "string" },
  sub: { type: "string" },
  aud: { type: "string" },
  name: { type: "string" },
  email: { type: "string" },
  "email-verified": { type: "boolean" },
  locale: { type: "string" },
  trait: { type: "string", multiple: true },
  life: { type: "string" },
} as const;

type Values = ReturnType<typeof readArguments>["values"];

/** `npm run identity`: creates keys, and tokens to try. Returns what to print; a fault is one sentence and exit code 1. */
export async function runIdentity(command: IdentityCommand): Promise<CommandResult> {
  if (asksForHelp(command.args)) return done(USAGE);
  try {
    const { values, positionals } = readArguments(command.args);
    const asked = positionals.join(" ");
    if (asked === "key create") return done(createKeyFiles(command, values));
    if (asked === "token") return done(await createToken(command, values));
    return { output: "", errors: `Unknown command.\n\n${USAGE}`, exitCode: 1 };
  } catch (error) {
    return { output: "", errors: `${error instanceof Error ? error.message : String(error)}\n`, exitCode: 1 };
  }
}

const done = (output: string): CommandResult => ({ output, errors: "", exitCode: 0 });

function readArguments(args: readonly string[]) {
  return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
}

function folderOf({ env }: IdentityCommand, values: Values): string {
  const folder = values.dir ?? `${env["DATA_DIR"]?.trim() || "./data"}/identity`;
  // A shell replaces no ~ in --dir=~/x, and a folder of that name would get the key.
  if (folder.startsWith("~")) throw new Error(`The folder ${folder} begins with ~: write the whole path.`);
  return folder;
}

function createKeyFiles(command: IdentityCommand, values: Values): string {
  const algorithm = ALGORITHMS.find((known) => known === (values.alg ?? "ES256"));
  if (!algorithm) throw new Error(`--alg must be one of ${ALGORITHMS.join(", ")}.`);
  const day = new Date(command.now()).toISOString().slice(0, 10);
  const kid = values.kid ?? `${day}-${Buffer.from(command.random(3)).toString("hex")}`;
  if (!/^[\x21-\x7e]{1,128}$/.test(kid))
    throw new Error("--kid must be 1 to 128 printable ASCII characters.");
  const { signing, verifying } = createKey(algorithm, kid, command.random);
  if (values.print) return `${JSON.stringify({ signing, keys: { keys: [verifying] } }, null, 2)}\n`;

  const folder = folderOf(command, values);
  const [signingPath, keysPath] = [`${folder}/signing-key.json`, `${folder}/keys.json`];
  const known = readKnown(command, keysPath);
  if (known.some((key) => key.kid === kid))
    throw new Error(`${keysPath} already has a key with the kid ${kid}.`);
  command.writeFile(keysPath, `${JSON.stringify({ keys: [...known, verifying] }, null, 2)}\n`);
  command.writeFile(signingPath, `${JSON.stringify(signing, null, 2)}\n`);
  return [
    `Created ${kid} (${algorithm}).`,
    `  ${signingPath}  only for the site's server: whoever has it can pass for any customer`,
    `  ${keysPath}  for IDENTITY_KEYS${known.length > 0 ? `, with ${known.length} older` : ""}`,
    "",
    "Start Parley with it, then create a token:",
    `  IDENTITY_KEYS=${keysPath} npm start`,
    "  npm run identity -- token --sub customer-42",
    "",
  ].join("\n");
}

function readKnown(command: IdentityCommand, path: string): Jwk[] {
  let text: string;
  try {
    text = command.readFile(path);
  } catch {
    // The first key of this folder.
    return [];
  }
  const { keys } = (jsonOf(text) ?? {}) as { keys?: unknown };
  if (!Array.isArray(keys)) throw new Error(`${path} is not a JSON Web Key Set; move it away first.`);
  return keys as Jwk[];
}

async function createToken(command: IdentityCommand, values: Values): Promise<string> {
  if (!values.sub) throw new Error("--sub is missing: the customer's id, for example --sub customer-42.");
  const life = Number(values.life ?? 300);
  if (!Number.isInteger(life) || life < 1 || life > 900) throw new Error("--life must be 1 to 900 seconds.");
  const path = values.key ?? `${folderOf(command, values)}/signing-key.json`;
  const key = readSigningKey(command, path);
  const at = Math.floor(command.now() / 1000);
  const traits = traitsOf(values.trait ?? []);
  const token = await new SignJWT({
    ...(values.name === undefined ? {} : { name: values.name }),
    ...(values.email === undefined ? {} : { email: values.email }),
    ...(values["email-verified"] ? { email_verified: true } : {}),
    ...(values.locale === undefined ? {} : { locale: values.locale }),
    ...(Object.keys(traits).length === 0 ? {} : { traits }),
  })
    .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: "JWT" })
    .setSubject(values.sub)
    .setAudience(values.aud ?? (command.env["SITE_ID"]?.trim() || "parley"))
    .setIssuedAt(at)
    .setExpirationTime(at + life)
    .setJti(command.newId())
    .sign(await importJWK(key, key.alg));
  return `${token}\n`;
}

function readSigningKey(command: IdentityCommand, path: string): Jwk {
  let text: string;
  try {
    text = command.readFile(path);
  } catch (cause) {
    throw new Error(`There is no signing key at ${path}. Make one first: npm run identity -- key create`, {
      cause,
    });
  }
  const key = (jsonOf(text) ?? {}) as Partial<Jwk>;
  if (typeof key.kid !== "string" || typeof key.alg !== "string") {
    throw new Error(`${path} must be a JSON Web Key with kid and alg.`);
  }
  return key as Jwk;
}

/** `plan=enterprise`, `seats=3`, `trial=true`: numbers, true, false and null become values of their type. */
function traitsOf(given: readonly string[]): Record<string, string | number | boolean | null> {
  return Object.fromEntries(
    given.map((text) => {
      const at = text.indexOf("=");
      if (at < 1) throw new Error(`--trait must be NAME=VALUE, not ${JSON.stringify(text.slice(0, 40))}.`);
      const value = text.slice(at + 1);
      const isPlain = /^(true|false|null|-?(0|[1-9]\d{0,14})(\.\d{1,6})?)$/.test(value);
      return [text.slice(0, at), isPlain ? JSON.parse(value) : value];
    }),
  );
}
