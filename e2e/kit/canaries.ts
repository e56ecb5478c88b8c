import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContext, Request, Response } from "@playwright/test";

/** Every way in which a secret is looked for: as it is, encoded, and backwards. */
export function spellingsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  // Where base64 begins in the middle of a text, a secret has one of three spellings; their edges depend on the neighbours.
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

/** Which of the named secrets stand in `text`, in any spelling. */
export function secretsIn(text: string, secrets: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(secrets).flatMap(([name, secret]) =>
    spellingsOf(secret).some((spelling) => text.includes(spelling)) ? [name] : [],
  );
}

/** All that went between a browser and its servers. */
export interface Traffic {
  /** Every byte that the browser received, with where it came from: status lines, headers, bodies, the lines of streams. */
  readonly received: () => Promise<readonly (readonly [from: string, text: string])[]>;
  /** Every address that was asked for, and every `Referer`. */
  readonly addresses: () => readonly string[];
}

/** Keeps the traffic of a context from now on. Streams that are still open are read by `fetch`'s own pieces in the page. */
export async function keepTraffic(context: BrowserContext): Promise<Traffic> {
  const answers: Promise<readonly [string, string]>[] = [];
  const streamed: [string, string][] = [];
  const addresses: string[] = [];
  await context.exposeBinding("keepStreamed", (_, from: string, text: string) => {
    streamed.push([from, text]);
  });
  // The browser's tools give a stream's body only at its end, so each chunk is copied instead.
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
  context.on("response", (response: Response) => answers.push(textOf(response)));
  return {
    received: async () => [...(await Promise.all(answers)), ...streamed],
    addresses: () => addresses,
  };
}

async function textOf(response: Response): Promise<readonly [string, string]> {
  const headers = JSON.stringify(await response.allHeaders());
  const isStream = headers.includes("text/event-stream");
  // No body: a redirect, a 204, or one that the browser dropped with its page.
  const body = isStream ? "" : await response.body().then(String, () => "");
  return [response.url(), `${response.status()} ${headers}\n${body}`];
}

/** Every file below a folder, source maps included, as text. */
export function filesBelow(folder: string): readonly (readonly [path: string, text: string])[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path, readFileSync(path, "latin1")] as const;
    });
}
