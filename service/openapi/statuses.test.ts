import { describe, expect, test } from "vitest";
import { Failure } from "../../shared/errors.ts";
import type { V1Operation } from "../../shared/operation.ts";
import { V1_CONTRACT, type V1Id } from "../../shared/v1/contract.ts";
import type { Store } from "../store/store.ts";
import { mountSmallDisk } from "../testing/small-disk.ts";
import { openTestService, type TestService } from "../testing/test-service.ts";
import { type CallPlace, callOf, openPlaceOf, operationOf, send, type V1Call } from "../testing/v1-calls.ts";

/** One request of an operation, named by what is special about it, and the status that it gets. */
interface Case {
  readonly name: string;
  readonly status: number;
  readonly ask: (stage: Stage) => Promise<Response>;
}

interface Stage {
  readonly t: TestService;
  /** The same service, with a store that fails. */
  readonly failing: (fault: Error) => Promise<TestService>;
  readonly place: CallPlace;
  readonly valid: V1Call;
}

const MEBIBYTE = 1024 * 1024;
/** The conversation of a call has its start, a question and the answer. */
const FULL = { entries: 3, bytes: 1_000_000 };

const changed = (name: string, status: number, change: (valid: V1Call) => Partial<V1Call>): Case => ({
  name,
  status,
  ask: ({ t, valid }) => send(t, { ...valid, ...change(valid) }),
});
const withHeaders = (name: string, status: number, headers: Readonly<Record<string, string>>): Case =>
  changed(name, status, (valid) => ({ headers: { ...valid.headers, ...headers } }));
const failing = (name: string, status: number, fault: Error): Case => ({
  name,
  status,
  ask: async ({ failing: open, valid }) => send(await open(fault), valid),
});
const ended: Case = {
  name: "an ended conversation",
  status: 409,
  async ask({ t, place, valid }) {
    await send(t, callOf("endConversation", place));
    return send(t, valid);
  },
};
/** The call twice, the second time with something else under the same key. */
const again = (name: string, change: (valid: V1Call) => Partial<V1Call>): Case => ({
  name,
  status: 422,
  async ask({ t, valid }) {
    const keyed = { ...valid, headers: { ...valid.headers, "idempotency-key": "key" } };
    await send(t, keyed);
    return send(t, { ...keyed, ...change(keyed) });
  },
});

/** The cases that every operation of one form shares. */
function usualCases(id: V1Id): Case[] {
  const operation: V1Operation = operationOf(id);
  const { auth, path, request, query, headers = [], upload, status } = operation;
  const missing = { id: "missing", conversationId: "missing" };
  return [
    { name: "a valid call", status, ask: ({ t, valid }) => send(t, valid) },
    failing("an error of ours", 500, new Error("broken")),
    failing("a store that can't be used", 503, new Failure("unavailable")),
    ...(auth === "none" ? [] : [withHeaders("a wrong credential", 401, { authorization: "Bearer wrong" })]),
    ...(request
      ? [
          changed("no JSON", 400, () => ({ raw: "{" })),
          withHeaders("another media type", 415, { "content-type": "text/plain" }),
          changed("too many bytes", 413, () => ({ raw: " ".repeat(operation.limits.requestBytes + 1) })),
        ]
      : []),
    ...(query ? [changed("a limit of 0", 400, (valid) => ({ path: `${valid.path}?limit=0` }))] : []),
    ...(headers.includes("Idempotency-Key")
      ? [withHeaders("a key with a space", 400, { "idempotency-key": "a b" })]
      : []),
    ...(headers.includes("Last-Event-ID")
      ? [withHeaders("a position that is none", 400, { "last-event-id": "x" })]
      : []),
    ...(upload
      ? [
          changed("a file of another type", 415, () => ({ raw: "text" })),
          withHeaders("too many bytes of a file", 413, { "content-length": String(10 * MEBIBYTE + 1) }),
        ]
      : []),
    ...(path.includes(":id") || id === "handoffs"
      ? [
          changed("a missing conversation", 404, (valid) => ({
            path: valid.operation.path.replace(":id", missing.id).replace(":attachmentId", missing.id),
            body: valid.body && { ...valid.body, ...(id === "handoffs" ? missing : {}) },
          })),
        ]
      : []),
  ];
}

/** The cases of single operations: each of their `refusals` has a status that the usual cases may not get. */
const OWN_CASES: Partial<Record<V1Id, readonly Case[]>> = {
  conversations: [again("a key for another text", () => ({ body: { subject: "another" } }))],
  handoffs: [
    ended,
    again("a key for another reason", ({ body }) => ({ body: { ...body, reason: "another" } })),
    {
      name: "a hand-off that was open already",
      status: 200,
      async ask({ t, valid }) {
        await send(t, valid);
        return send(t, valid);
      },
    },
  ],
  turns: [
    ended,
    withHeaders("the answer as a stream", 200, { accept: "application/x-ndjson" }),
    again("a message id for another text", ({ body }) => ({
      body: { ...body, content: { body: "Another", format: "plain" } },
    })),
  ],
  reopen: [
    {
      name: "a conversation that is full",
      status: 409,
      async ask({ t, place, valid }) {
        await send(t, callOf("endConversation", place));
        return send(t, valid);
      },
    },
  ],
  ratings: [
    {
      name: "a conversation that is full of ratings",
      status: 409,
      async ask({ t, valid }) {
        for (let entry = FULL.entries; entry < 2 * FULL.entries; entry += 1)
          await send(t, { ...valid, body: { score: entry % 2 === 0 ? "up" : "down" } });
        return send(t, valid);
      },
    },
  ],
  attachments: [
    ended,
    again("a key for another file", ({ headers }) => ({
      headers: { ...headers, "x-file-name": "other.png" },
    })),
    {
      name: "an eleventh upload at once",
      status: 429,
      async ask({ t, valid }) {
        const held = Array.from({ length: 10 }, () => Promise.withResolvers<void>());
        const uploads = held.map(({ promise }) =>
          send(t, {
            ...valid,
            raw: new ReadableStream({
              async pull(control) {
                await promise;
                control.close();
              },
            }),
          }),
        );
        const answer = await send(t, valid);
        for (const { resolve } of held) resolve();
        await Promise.all(uploads);
        return answer;
      },
    },
  ],
  proposeSummary: [ended],
  sendSummary: [
    ended,
    again("another text for the same request", ({ body }) => ({ body: { ...body, text: "Another" } })),
  ],
  typing: [ended],
};

/**
 * Described statuses that need more than a call, and the tests that see them. The answers of those in `service` are
 * compared with the document as these are.
 */
const SEEN_ELSEWHERE: Partial<Record<V1Id, Readonly<Record<number, string>>>> = {
  // Only another service of the contract answers so: ours has no call that waits for the same key.
  conversations: { 409: "bff/routes/conversation.test.ts" },
  actionApprovals: {
    200: "service/actions/actions.test.ts",
    403: "service/actions/actions.test.ts",
    409: "service/actions/actions.test.ts",
    422: "service/actions/actions.test.ts",
  },
};

const casesOf = (id: V1Id) => [
  ...usualCases(id).filter(({ name }) => !(id === "actionApprovals" && name === "a valid call")),
  ...(OWN_CASES[id] ?? []),
];

/** A store whose calls all fail. */
function failingStore(store: Store, fault: Error): Store {
  const fail = <Part extends object>(part: Part): Part =>
    new Proxy(part, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key);
        const reject = () => Promise.reject(fault);
        // The only one that is iterated: it fails at its first step.
        if (key === "purgeAnonymous") return () => ({ [Symbol.asyncIterator]: () => ({ next: reject }) });
        if (typeof value === "function") return reject;
        return typeof value === "object" && value !== null ? fail(value) : value;
      },
    });
  return fail(store);
}

async function openStage(id: V1Id, t: TestService): Promise<Stage> {
  const place = await openPlaceOf(id, t);
  return {
    t,
    place,
    valid: callOf(id, place),
    async failing(given) {
      let fault: Error | undefined;
      const through = await openTestService({
        store: new Proxy(t.store, {
          get: (store, key) => Reflect.get(fault ? failingStore(store, fault) : store, key),
        }),
      });
      fault = given;
      return through;
    },
  };
}

/** The statuses that the document describes for one operation. */
async function describedFor(t: TestService, id: V1Id): Promise<string[]> {
  const { path, method } = operationOf(id);
  const { paths } = await (await t.request("/v1/openapi.json")).json();
  const { responses } = paths[path.replaceAll(/:(\w+)/g, "{$1}")][method.toLowerCase()];
  return Object.keys(responses).filter((status) => status !== "default");
}

/** The answers to each case of an operation on one service, and the cases whose status differs from the expected one. */
async function answersOf(id: V1Id, t: TestService) {
  const seen = new Set(Object.keys(SEEN_ELSEWHERE[id] ?? {}));
  const wrong: string[] = [];
  for (const { name, status, ask } of casesOf(id)) {
    const isFull = name.includes("full");
    const answer = await ask(
      await openStage(id, isFull ? await openTestService({}, undefined, { conversationLimits: FULL }) : t),
    );
    if (answer.status !== status) wrong.push(`${name}: ${answer.status}, not ${status}`);
    seen.add(String(answer.status));
  }
  return { seen, wrong };
}

const FULL_DISK = "507";
/** Bodies for calls whose smallest valid body changes nothing, and so needs no space. */
const CHANGES: Partial<Record<V1Id, Readonly<Record<string, unknown>>>> = {
  identify: { externalId: "new" },
  sessions: { externalId: "new" },
  contacts: { email: "ann@shop.example" },
};
const IDS = V1_CONTRACT.map(({ id }) => id);

describe("API1 /v1/openapi.json describes exactly the statuses that the service has", () => {
  test.each(IDS)("%s", async (id) => {
    const t = await openTestService();
    const { seen, wrong } = await answersOf(id, t);
    expect(wrong).toEqual([]);
    const described = await describedFor(t, id);
    expect([...seen].sort(), "each described status needs a case in OWN_CASES that gets it").toEqual(
      described.filter((status) => status !== FULL_DISK).sort(),
    );
  });

  test("on a full disk, where this account may mount one", async () => {
    const disk = mountSmallDisk(8 * MEBIBYTE);
    if (!disk) return expect(process.getuid?.()).not.toBe(0);
    const t = await openTestService({}, disk.folder);
    const places = new Map<V1Id, CallPlace>();
    // An answer to an action needs one that was asked for: service/actions has its tests.
    for (const id of IDS.filter((one) => one !== "actionApprovals")) places.set(id, await openPlaceOf(id, t));
    const toReopen = places.get("reopen");
    if (toReopen) await send(t, callOf("endConversation", toReopen));
    disk.fill();
    const refused: string[] = [];
    const described: string[] = [];
    for (const [id, place] of places) {
      const valid = callOf(id, place);
      const { status } = await send(t, { ...valid, body: CHANGES[id] ?? valid.body });
      if (String(status) === FULL_DISK) refused.push(id);
      if ((await describedFor(t, id)).includes(FULL_DISK)) described.push(id);
    }
    expect(refused, "an operation that needs no space has storesNothing, or is a GET").toEqual(described);
  });
});
