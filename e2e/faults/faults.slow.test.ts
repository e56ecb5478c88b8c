import { beforeAll, describe, expect, test } from "vitest";
import { runCampaign, type Total } from "./campaign.ts";
import type { Kind } from "./kind.ts";
import { allKinds } from "./kinds.ts";
import { SMALL } from "./run.ts";

const RUNS = 3;
const SEED = "1";
const LANES = 3;
/** Longer than any of the customer's timeouts; `npm run faults` stops a process for 30 s. */
const STOP_MS = 2500;
/** The limit for all of them on a busy machine. */
const PATIENCE_MS = 900_000;

const KINDS = allKinds(STOP_MS);
const unhandled: unknown[] = [];
const totals = new Map<string, Total>();

describe("a fault starts and ends while customers and people write", () => {
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

  test("no error was unhandled", () => {
    expect(unhandled).toEqual([]);
  });
});

describe("the checks detect what they look for (control)", () => {
  /** A lying answer of the BFF: the message is reported as confirmed, and the service has never received it. */
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
        // On a slow machine the first message, which starts the conversation, may take longer than the fault.
        while (lies === 0) await new Promise((resolve) => setTimeout(resolve, 10));
        front.link.decide(undefined);
      };
    },
  };
  /** A service without idempotency that receives a request twice: the first one has another key. */
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
        // On a slow machine the first message, which starts the conversation, may take longer than the fault.
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
