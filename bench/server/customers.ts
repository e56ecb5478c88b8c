import { randomUUID } from "node:crypto";
import { Pool } from "undici";
import * as z from "zod/mini";
import { WIDE_LIMITS } from "../../bff/testing/wide-limits.ts";

const Token = z.object({ token: z.string() });
const BODY =
  "Where is my order? It should have been here on Tuesday, and the tracking page says nothing at all.";

/** The server expects a load balancer in front, so that each customer can have their own address. */
let customers = 0;
const addresses = new Map<string, string>();
const newAddress = () => {
  customers += 1;
  return `10.${(customers >> 16) & 255}.${(customers >> 8) & 255}.${customers & 255}`;
};

/** A load balancer in front, so that each customer has their own address, and no limit: this measures work, not refusals. */
export const BENCH_ENV = { TRUSTED_PROXIES: "1", ...WIDE_LIMITS };

/** The BFF's API, called as a panel does. */
export interface Door {
  readonly pool: Pool;
  post(path: string, body: unknown, token?: string): Promise<unknown>;
  close(): Promise<void>;
}

/** @throws Error from `post` for every answer except 200 and 201, with its content */
export function openDoor(url: string, connections: number): Door {
  const pool = new Pool(url, { connections });
  return {
    pool,
    async post(path, body, token) {
      const answer = await pool.request({
        method: "POST",
        path,
        headers: {
          origin: url,
          "x-forwarded-for": (token && addresses.get(token)) ?? newAddress(),
          "content-type": "application/json",
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify(body),
      });
      const text = await answer.body.text();
      if (answer.statusCode > 201) throw new Error(`${path} answered ${answer.statusCode}: ${text}`);
      return JSON.parse(text);
    },
    close: () => pool.destroy(),
  };
}

export const newMessage = () => ({ clientMessageId: randomUUID(), body: BODY });

/** The token of a customer who has a conversation. */
export async function startCustomer(door: Door): Promise<string> {
  const { token } = Token.parse(await door.post("/api/session", {}));
  addresses.set(token, newAddress());
  await door.post("/api/conversation", newMessage(), token);
  return token;
}

/** Creates `count` customers, 16 at a time. */
export async function startCustomers(door: Door, count: number): Promise<string[]> {
  const tokens: string[] = [];
  let left = count;
  const start = async () => {
    while (left > 0) {
      left -= 1;
      tokens.push(await startCustomer(door));
    }
  };
  await Promise.all(Array.from({ length: 16 }, start));
  return tokens;
}

/** The 99th percentile. */
export function p99(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Number.NaN;
}

/** An open event stream. */
export interface Stream {
  /** Resolves when `text` arrives on it from now on. */
  next(text: string): Promise<void>;
}

/** Opens the stream of a customer's conversation; closing the door ends it. */
export async function openStream(door: Door, url: string, token: string): Promise<Stream> {
  const answer = await door.pool.request({
    method: "GET",
    path: "/api/conversation/events",
    headers: { origin: url, authorization: `Bearer ${token}` },
  });
  if (answer.statusCode !== 200) throw new Error(`a stream answered ${answer.statusCode}`);
  // Leaving is reported as an error of the body.
  answer.body.on("error", () => undefined);
  let awaited: { readonly text: string; readonly found: () => void } | undefined;
  answer.body.setEncoding("utf8");
  answer.body.on("data", (chunk: string) => {
    if (awaited && chunk.includes(awaited.text)) awaited.found();
  });
  return {
    next: (text) =>
      new Promise((resolve) => {
        awaited = { text, found: () => resolve() };
      }),
  };
}
