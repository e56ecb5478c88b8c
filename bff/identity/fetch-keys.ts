import { Pool } from "undici";
import { isJsonType, mediaTypeOf, readBounded } from "../upstream/transport.ts";
import { KeySetFault } from "./key-ring.ts";

/** Gives the text behind an address. @throws KeySetFault when it answers, but no keys; else whatever broke the line */
export type FetchKeys = (url: string) => Promise<string>;

const TOTAL_MS = 5000;
const MAX_BYTES = 64 * 1024;

/**
 * Reads the site's keys from the one address that configuration fixes: https, no redirect, five seconds, 64 kB. A token
 * never names an address.
 */
export const fetchKeys: FetchKeys = async (url) => {
  const { origin, pathname, search } = new URL(url);
  const pool = new Pool(origin, { connect: { timeout: 2000 }, connections: 1 });
  try {
    const answer = await pool.request({
      method: "GET",
      path: pathname + search,
      headers: { accept: "application/jwk-set+json, application/json" },
      signal: AbortSignal.timeout(TOTAL_MS),
    });
    answer.body.on("error", () => undefined);
    if (answer.statusCode >= 500)
      throw Object.assign(new Error("no keys now"), { code: `status ${answer.statusCode}` });
    if (answer.statusCode !== 200)
      throw new KeySetFault([`answers ${answer.statusCode}; it must answer 200 itself.`]);
    const type = answer.headers["content-type"];
    if (!isJsonType(mediaTypeOf(Array.isArray(type) ? type[0] : type))) {
      throw new KeySetFault(["answers something that is not JSON."]);
    }
    return new TextDecoder().decode(await readBounded(answer.body, MAX_BYTES));
  } finally {
    await pool.destroy();
  }
};
