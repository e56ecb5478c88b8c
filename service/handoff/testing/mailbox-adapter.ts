import { createHmac, timingSafeEqual } from "node:crypto";
import * as z from "zod/mini";
import { Failure } from "../../../shared/errors.ts";
import type { HandoffAdapter, HandoffTask, PersonAct } from "../adapter.ts";
import type { AdapterKind } from "../adapter-kind.ts";

const SIGNATURE = "x-mailbox-signature";

/** The failures of the target that a test can cause. `lost`: it was done, but the answer did not arrive. */
export type MailboxFault = "down" | "lost";

/** A target in memory that, like most help desks, takes no idempotency key. */
export interface Mailbox {
  readonly kind: AdapterKind;
  /** The messages of each conversation, by our conversation id: their ids and bodies, in order. */
  read(conversationId: string): readonly { readonly id: string; readonly body: string }[];
  isClosed(conversationId: string): boolean;
  has(conversationId: string): boolean;
  /** The next calls fail like this, one each. */
  failNext(...faults: MailboxFault[]): void;
  readBacks(): number;
  /** A signed call of the target, whose signature has no time; `ref` is taken from the conversation. */
  call(now: number, conversationId: string, ...events: PersonAct[]): RequestInit;
}

const Act = z.object({ ref: z.string(), person: z.object({ name: z.string() }) });
const Call = z.array(
  z.discriminatedUnion("type", [
    z.object({ ...Act.shape, type: z.literal("joined") }),
    z.object({ ...Act.shape, type: z.literal("returned") }),
    z.object({ ...Act.shape, type: z.literal("resolved") }),
    z.object({ ...Act.shape, type: z.literal("message"), id: z.string(), body: z.string() }),
  ]),
);

export function createMailbox(secret = "a secret of the mailbox"): Mailbox {
  const threads = new Map<string, { messages: { id: string; body: string }[]; isClosed: boolean }>();
  const refs = new Map<string, string>();
  const faults: MailboxFault[] = [];
  let readBacks = 0;
  let prepared = 0;

  const threadOf = (ref: string) => {
    const thread = threads.get(ref);
    if (!thread) throw new Error("The mailbox has no such thread.");
    return thread;
  };
  const act = (work: () => void): void => {
    const fault = faults.shift();
    if (fault === "down") throw new Error("The mailbox is down.");
    work();
    if (fault === "lost") throw new Error("The answer of the mailbox was lost.");
  };
  const sign = (body: Uint8Array) => createHmac("sha256", secret).update(body).digest();

  const adapter: HandoffAdapter = {
    id: "mailbox",
    async prepare({ conversationId }: HandoffTask) {
      prepared += 1;
      const ref = `thread-${prepared}`;
      refs.set(conversationId, ref);
      return {
        ref,
        commit: async () => act(() => threads.set(ref, { messages: [], isClosed: false })),
        discard: async () => void threads.delete(ref),
      };
    },
    outbound: {
      send: async (ref, { id, body }) => act(() => threadOf(ref).messages.push({ id, body })),
      async readBack(ref) {
        readBacks += 1;
        return new Set(threadOf(ref).messages.map(({ id }) => id));
      },
      async close(ref) {
        threadOf(ref).isClosed = true;
      },
    },
    async inbound({ headers, body }) {
      const given = Buffer.from(headers.get(SIGNATURE) ?? "", "hex");
      const expected = sign(body);
      if (given.length !== expected.length || !timingSafeEqual(given, expected))
        throw new Failure("unauthenticated");
      const parsed = Call.safeParse(JSON.parse(new TextDecoder().decode(body)));
      if (!parsed.success) throw new Failure("bad_request");
      return { events: parsed.data };
    },
  };
  const find = (conversationId: string) => threads.get(refs.get(conversationId) ?? "");
  return {
    kind: { id: "mailbox", configure: () => ({ id: "mailbox", open: () => adapter }) },
    read: (conversationId) => find(conversationId)?.messages ?? [],
    isClosed: (conversationId) => find(conversationId)?.isClosed ?? false,
    has: (conversationId) => find(conversationId) !== undefined,
    failNext: (...next) => void faults.push(...next),
    readBacks: () => readBacks,
    call(_now, conversationId, ...events) {
      const ref = refs.get(conversationId) ?? "thread-unknown";
      const body = Buffer.from(JSON.stringify(events.map((event) => ({ ...event, ref }))));
      return { method: "POST", headers: { [SIGNATURE]: sign(body).toString("hex") }, body };
    },
  };
}
