import { fileURLToPath } from "node:url";
import type { EnvironmentReader, Fault } from "../../../shared/server/environment.ts";
import { parseUrl } from "../../../shared/server/origin.ts";
import type { AgentDeps } from "../provider.ts";
import { readEmbeddings } from "./embeddings/embeddings-config.ts";
import type { Knowledge } from "./open-knowledge.ts";
import type { Library } from "./sources/library.ts";

const DEMO_ARTICLES = fileURLToPath(new URL("../../../demo/articles", import.meta.url));

const DEMO_NOTE =
  "KNOWLEDGE_DIR and KNOWLEDGE_URLS are unset: customers get answers from the demo shop's articles.";

/** The owner's articles as configured; nothing is opened yet. */
export interface ConfiguredKnowledge {
  findFaults(): Promise<readonly Fault[]>;
  /** @throws Error with one sentence for an operator */
  open(deps: AgentDeps): Promise<Library<Knowledge>>;
}

/**
 * Reads where the articles come from: a folder (`KNOWLEDGE_DIR`), the owner's site (`KNOWLEDGE_URLS`) or both. Without
 * any they are the demo's.
 */
export function configureKnowledge(reader: EnvironmentReader): ConfiguredKnowledge {
  const known = configured.get(reader) ?? configure(reader);
  configured.set(reader, known);
  return known;
}

/** Several agents answer from the same articles. */
const configured = new WeakMap<EnvironmentReader, ConfiguredKnowledge>();

function configure(reader: EnvironmentReader): ConfiguredKnowledge {
  const given = reader.text("KNOWLEDGE_DIR");
  const baseUrl = readBaseUrl(reader);
  const urls = readUrls(reader);
  const everyHours = reader.integer("KNOWLEDGE_URLS_HOURS", { min: 1, max: 168, fallback: 24 });
  let opened: Promise<Library<Knowledge>> | undefined;
  const isDemo = given === undefined && urls.length === 0;
  const directory = isDemo ? DEMO_ARTICLES : given;
  // An address for customers means that these are not the demo's own.
  const warnings = isDemo && reader.text("PUBLIC_URL") !== undefined ? [DEMO_NOTE] : [];
  const settings = { directory, urls, everyHours, baseUrl, endpoint: readEmbeddings(reader), warnings };
  return {
    async findFaults() {
      if (given === undefined) return [];
      const { openSources } = await import("./open-knowledge.ts");
      const { readFolder } = await import("./sources/folder-source.ts");
      try {
        await openSources([readFolder(given)], baseUrl);
        return [];
      } catch (error) {
        const reason = error instanceof Error ? error.message : "it can't be read.";
        return [
          { name: "KNOWLEDGE_DIR", fault: `is refused: ${reason}`, example: "KNOWLEDGE_DIR=/srv/articles" },
        ];
      }
    },
    open(deps) {
      opened ??= import("./open-knowledge.ts").then(({ openKnowledge }) => openKnowledge(settings, deps));
      return opened;
    },
  };
}

const MAX_URLS = 100;

/** Pages and sitemaps. */
function readUrls(reader: EnvironmentReader): readonly string[] {
  const given = (reader.text("KNOWLEDGE_URLS") ?? "").split(/[\s,]+/).filter(Boolean);
  const urls = given.map((address) => URL.parse(address));
  const isBad = urls.some((url) => !url || !/^https?:$/.test(url.protocol) || url.username !== "");
  if (isBad || urls.length > MAX_URLS) {
    reader.refuse({
      name: "KNOWLEDGE_URLS",
      fault: `must be at most ${MAX_URLS} http(s) addresses of pages or sitemaps, without names and passwords.`,
      example: "KNOWLEDGE_URLS=https://www.example.com/sitemap.xml",
    });
  }
  return urls.flatMap((url) => (url ? [url.href] : []));
}

/** The base for article addresses without a host. */
function readBaseUrl(reader: EnvironmentReader): string | undefined {
  const value = reader.text("KNOWLEDGE_URL");
  if (value === undefined) return undefined;
  const url = parseUrl(value);
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url.href;
  const example = "KNOWLEDGE_URL=https://www.example.com";
  reader.refuse({
    name: "KNOWLEDGE_URL",
    fault: "must be an http(s) address without a user or password in it.",
    example,
  });
  return undefined;
}
