import type { Deed, Passing } from "./http-link.ts";
import type { Cure, Kind } from "./kind.ts";
import type { SeededRandom } from "./random.ts";
import type { World } from "./world.ts";

const PASS: Deed = { type: "pass" };
const WORDS = JSON.stringify({ error: "words of the service that nobody may read" });
const SHARE = 0.4;
const SHORT: Kind["lastsMs"] = [300, 700];
/** The target of the redirect: a request here means that it was followed. */
export const ELSEWHERE = "/elsewhere";

/** A 404 there is an answer, not a fault: the service has only the seven endpoints. */
const isCapabilities = ({ path }: Passing) => path.startsWith("/v1/support/capabilities");
const isSelection = ({ path }: Passing) => path.startsWith("/v1/sdk/support-selection");

function deeds(name: string, make: (random: SeededRandom, passing: Passing) => Deed, share = SHARE): Kind {
  const arrange = ({ back }: World, random: SeededRandom): Cure => {
    back.link.decide((passing) => (random.chance(share) ? make(random, passing) : PASS));
    return () => back.link.decide(undefined);
  };
  return { name: `upstream-${name}`, group: "back", lastsMs: SHORT, arrange };
}

/** A refusal; the harder half of the server's own faults happens after the request took effect. */
function status(code: number, headers: Record<string, string> = {}): Kind {
  return deeds(`${code}`, (random, passing) => {
    if (code === 404 && (isCapabilities(passing) || isSelection(passing))) return PASS;
    const done = code >= 500 && passing.method !== "GET" && random.chance(0.5);
    return { type: "answer", done, status: code, headers, body: () => WORDS };
  });
}

const HTML = "<!doctype html><title>Sent</title><p>Message sent</p>";
const LIES: readonly ((healthy: string) => string)[] = [
  () => "",
  () => "{}",
  () => HTML,
  (healthy) => healthy.slice(0, -2),
  (healthy) => healthy.replace(/"(id|clientMessageId|token|channel)":"[^"]*"/g, '"$1":""'),
];

/** BFF and service: fourteen kinds. */
export const BACK_KINDS: readonly Kind[] = [
  ...[400, 401, 403, 404, 409, 422].map((code) => status(code)),
  status(429, { "retry-after": "1" }),
  ...[500, 502, 503, 504].map((code) => status(code)),
  deeds("never-answers", (random) => ({ type: "hang", done: random.chance(0.5) }), 0.2),
  deeds("lies", (random, { method }) => {
    const body = LIES[random.between(0, LIES.length - 1)] ?? (() => "");
    // A stream of events has no end to wait for.
    return { type: "answer", done: method !== "GET" && random.chance(0.7), status: 200, body };
  }),
  deeds("redirect", () => ({
    type: "answer",
    done: false,
    status: 302,
    headers: { location: ELSEWHERE },
    body: () => WORDS,
  })),
];
