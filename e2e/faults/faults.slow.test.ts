import { beforeAll, describe, expect, test } from "vitest";
import { runCampaign, type Total } from "./campaign.ts";
import type { Kind } from "./kind.ts";
import { allKinds } from "./kinds.ts";
import { SMALL } from "./run.ts";

const RUNS = 3;
const SEED = "1";
const LANES = 3;
/** Longer than any time-out of the customer's; `npm run faults` stops a process for 30 s. */
const STOP_MS = 2500;
/** Longest for all of them on a machine that has other things to do as well. */
const PATIENCE_MS = 900_000;

const KINDS = allKinds(STOP_MS);
const unhandled: unknown[] = [];
const totals = new Map<string, Total>();

describe("a fault comes and goes while customers and people write", () => {
  beforeAll(async () => {
    const note = (error: unknown) => unhandled.push(error);
    process.on("unhandledRejection", note);
    for (const total of await runCampaign({
      kinds: KINDS,
      runs: RUNS,
      seed: SEED,
      size: SMALL,
      lanes: LANES,
    })) {
      totals.set(total.kind, total);
    }
    process.off("unhandledRejection", note);
  }, PATIENCE_MS);

  test.each(KINDS.map(({ name }) => name))(
    "%s: nothing lost, doubled, disordered or falsely called sent",
    (name) => {
      const total = totals.get(name);
      expect(total?.failures).toEqual([]);
      expect(total).toMatchObject({ runs: RUNS, lost: 0, doubled: 0, disordered: 0, falseSent: 0 });
      expect(total?.messages).toBeGreaterThanOrEqual(RUNS * SMALL.customers * SMALL.messages);
    },
  );

  test("no error was left to nobody", () => {
    expect(unhandled).toEqual([]);
  });
});

describe("control: the checks see what they look for", () => {
  /** A BFF's answer that lies: what was sent is said to be confirmed, and the service has never heard of it. */
  const LYING: Kind = {
    name: "control-lying",
    group: "front",
    lastsMs: [300, 300],
    arrange({ front }) {
      let lies = 0;
      front.link.decide(({ method, path }) =>
        method === "POST" && path === "/api/conversation/messages"
          ? {
              type: "answer",
              done: false,
              status: 201,
              body: (_, sent) => {
                lies += 1;
                const { clientMessageId, body } = JSON.parse(sent) as {
                  clientMessageId: string;
                  body: string;
                };
                const at = new Date().toISOString();
                return JSON.stringify({
                  message: {
                    id: `lie_${clientMessageId}`,
                    seq: 1000,
                    role: "customer",
                    clientMessageId,
                    body,
                    at,
                  },
                });
              },
            }
          : { type: "pass" },
      );
      return async () => {
        // On a slow machine the first message, which starts the conversation, may outlast the fault.
        while (lies === 0) await new Promise((resolve) => setTimeout(resolve, 10));
        front.link.decide(undefined);
      };
    },
  };
  /** What a service without idempotency makes of a request that comes twice: the first has a key of its own. */
  const WITHOUT_KEYS: Kind = {
    name: "control-without-keys",
    group: "front",
    lastsMs: [300, 300],
    arrange({ front }) {
      let doubled = 0;
      front.link.decide(({ method, path }) => {
        if (method !== "POST" || path !== "/api/conversation/messages") return { type: "pass" };
        doubled += 1;
        return { type: "twice", change: (sent) => sent.replace(/("clientMessageId":")[^"]{4}/, "$1null") };
      });
      return async () => {
        // On a slow machine the first message, which starts the conversation, may outlast the fault.
        while (doubled === 0) await new Promise((resolve) => setTimeout(resolve, 10));
        front.link.decide(undefined);
      };
    },
  };
  test(
    "the same text under two keys is counted as doubled",
    async () => {
      const options = { runs: 1, seed: SEED, size: SMALL, lanes: 1, settleMs: 4000 };
      const found = await runCampaign({ ...options, kinds: [WITHOUT_KEYS] });
      expect(found[0]?.doubled).toBeGreaterThan(0);
      expect(found[0]?.failures).not.toEqual([]);
    },
    PATIENCE_MS,
  );

  test(
    "a message that was called sent and is not stored is counted as lost",
    async () => {
      const found = await runCampaign({
        kinds: [LYING],
        runs: 1,
        seed: SEED,
        size: SMALL,
        lanes: 1,
        settleMs: 4000,
      });
      expect(found[0]?.lost).toBeGreaterThan(0);
      expect(found[0]?.failures).not.toEqual([]);
    },
    PATIENCE_MS,
  );
});
