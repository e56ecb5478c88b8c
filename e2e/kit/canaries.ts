import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContext, Request, Response } from "@playwright/test";

/** Every form in which a secret is searched for: plain, encoded, and reversed. */
export function spellingsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  // Base64 within a longer text encodes a secret in one of three ways; the edges depend on its neighbours.
  const shifted = [0, 1, 2].map((by) =>
    Buffer.concat([Buffer.alloc(by), bytes])
      .toString("base64")
      .slice(by === 0 ? 0 : 4, -4),
  );
  const inUrls = shifted.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  const reversed = secret.split("").reverse().join("");
  const hex = bytes.toString("hex");
  return [
    ...new Set([secret, encodeURIComponent(secret), reversed, hex, hex.toUpperCase(), ...shifted, ...inUrls]),
  ];
}

/** Which of the named secrets appear in `text`, in any form. */
export function secretsIn(text: string, secrets: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(secrets).flatMap(([name, secret]) =>
    spellingsOf(secret).some((spelling) => text.includes(spelling)) ? [name] : [],
  );
}

/** All traffic between a browser and its servers. */
export interface Traffic {
  /** Every byte that the browser received, with its source: status lines, headers, bodies, stream lines. */
  readonly received: () => Promise<readonly (readonly [from: string, text: string])[]>;
  /** Every requested address, and every `Referer`. */
  readonly addresses: () => readonly string[];
}

/** Records the traffic of a context from now on. Open streams are recorded by `fetch`'s own chunks in the page. */
export async function keepTraffic(context: BrowserContext): Promise<Traffic> {
  const heads: [string, string][] = [];
  const answers: Promise<readonly [string, string]>[] = [];
  const streamed: [string, string][] = [];
  const addresses: string[] = [];
  await context.exposeBinding("keepStreamed", (_, from: string, text: string) => {
    streamed.push([from, text]);
  });
  // The browser's tools return a stream's body only at its end, so each chunk is copied instead.
  await context.addInitScript(() => {
    const original = window.fetch;
    const keep = Reflect.get(window, "keepStreamed") as (from: string, text: string) => Promise<void>;
    window.fetch = async (...args) => {
      const answer = await original(...args);
      if (answer.headers.get("content-type")?.startsWith("text/event-stream") && answer.body) {
        const [mine, copy] = answer.body.tee();
        const whole = new Response(mine, answer);
        const read = async () => {
          const pieces = copy.pipeThrough(new TextDecoderStream() as never) as ReadableStream<string>;
          const reader = pieces.getReader();
          for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
            await keep(answer.url, piece.value);
          }
        };
        // The end of a page or of a stream ends the copy too.
        void read().catch(() => undefined);
        return whole;
      }
      return answer;
    };
  });
  context.on("request", (request: Request) => {
    addresses.push(request.url(), request.headers()["referer"] ?? "");
  });
  // An answer that the browser dropped with its page never finishes, so what came of it is recorded at once.
  context.on("response", (response: Response) => {
    heads.push([response.url(), `${response.status()} ${JSON.stringify(response.headers())}`]);
  });
  context.on("requestfinished", (request: Request) => answers.push(textOf(request)));
  return {
    received: async () => [...heads, ...(await Promise.all(answers)), ...streamed],
    addresses: () => addresses,
  };
}

async function textOf(request: Request): Promise<readonly [string, string]> {
  const response = await request.response();
  if (!response) return [request.url(), ""];
  const headers = JSON.stringify(await response.allHeaders());
  // A redirect and a 204 have no body.
  const body = await response.body().then(String, () => "");
  return [response.url(), `${headers}\n${body}`];
}

/** Every file in a folder and its subfolders, source maps included, as text. */
export function filesBelow(folder: string): readonly (readonly [path: string, text: string])[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path, readFileSync(path, "latin1")] as const;
    });
}
