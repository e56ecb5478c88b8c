// @vitest-environment node
import { describe, expect, it } from "vitest";
import { Failure } from "../../shared/errors.ts";
import { createOutbox, type Unconfirmed } from "./outbox.ts";

interface Note extends Unconfirmed {
  readonly lane: string;
}

const note = (clientMessageId: string, lane = "one"): Note => ({
  clientMessageId,
  body: `text of ${clientMessageId}`,
  status: "sending",
  lane,
});

/** An outbox whose deliveries the test settles: `calls` are those in flight or over, in order. */
function startOutbox(given: readonly Note[] = []) {
  let list = given;
  const calls: { key: string; confirm: () => void; fail: (error: unknown) => void }[] = [];
  const outbox = createOutbox<Note>({
    read: () => list,
    write: (next) => {
      list = next;
    },
    laneOf: ({ lane }) => lane,
    async deliver(take) {
      const taken = take();
      if (!taken) return;
      const { promise, resolve: confirm, reject: fail } = Promise.withResolvers<void>();
      calls.push({ key: taken.clientMessageId, confirm, fail });
      await promise;
    },
    onFailure({ clientMessageId }, error) {
      if (error instanceof Failure) outbox.doubt(clientMessageId, error);
      else outbox.pause();
    },
  });
  const settle = async (act: () => void) => {
    act();
    await new Promise((resolve) => setTimeout(resolve, 0));
  };
  return {
    outbox,
    calls,
    settle,
    keys: () => calls.map(({ key }) => key),
    stands: () => list.map(({ clientMessageId, status }) => `${clientMessageId} ${status}`),
    list: () => list,
    set: (next: readonly Note[]) => {
      list = next;
    },
  };
}

describe("an outbox", () => {
  it("sends the messages of a lane one after another, and those of other lanes at the same time", async () => {
    const { outbox, calls, settle, keys, stands } = startOutbox();
    for (const each of [note("a"), note("b"), note("x", "two")]) void outbox.add(each);
    expect(keys()).toEqual(["a", "x"]);
    await settle(() => calls[0]?.confirm());
    expect(keys()).toEqual(["a", "x", "b"]);
    expect(stands()).toEqual(["b sending", "x sending"]);
  });

  it("keeps an unconfirmed message with its reason, and the next one waits as well, unless the fault is its own", async () => {
    const { outbox, calls, settle, keys, list, stands } = startOutbox();
    for (const each of [note("a"), note("b"), note("x", "two"), note("y", "two")]) void outbox.add(each);
    await settle(() => calls[0]?.fail(new Failure("rate_limited", { retryAfter: 7, detail: "Wait." })));
    const reason = { code: "rate_limited", retryAfter: 7, detail: "Wait." };
    expect(list()[0]).toEqual({ ...note("a"), status: "not_confirmed", ...reason });
    expect([stands(), keys()]).toEqual([
      ["a not_confirmed", "b not_confirmed", "x sending", "y sending"],
      ["a", "x"],
    ]);
    await settle(() => calls[1]?.fail(new Failure("key_reused")));
    expect(keys()).toEqual(["a", "x", "y"]);
    expect(stands().slice(2)).toEqual(["x not_confirmed", "y sending"]);
  });

  it("retries with the same key and without the old reason", async () => {
    const { outbox, keys, list } = startOutbox([{ ...note("a"), status: "not_confirmed", code: "internal" }]);
    void outbox.retry("a");
    expect(list()).toEqual([note("a")]);
    expect(keys()).toEqual(["a"]);
  });

  it("neither retries nor discards a message that is being sent", async () => {
    const { outbox, stands, keys } = startOutbox();
    void outbox.add(note("a"));
    void outbox.retry("a");
    outbox.discard("a");
    expect([stands(), keys()]).toEqual([["a sending"], ["a"]]);
    outbox.doubt("a", new Failure("internal"));
    outbox.discard("a");
    expect(stands()).toEqual([]);
  });

  it("a paused outbox sends nothing until it is resumed", async () => {
    const { outbox, calls, settle, keys, stands } = startOutbox();
    void outbox.add(note("a"));
    await settle(() => calls[0]?.fail(new Error("silence")));
    void outbox.add(note("x", "two"));
    expect([stands(), keys()]).toEqual([["a queued", "x queued"], ["a"]]);
    outbox.resume();
    expect(keys()).toEqual(["a", "a", "x"]);
  });

  it("a failure of a message that was confirmed or erased meanwhile changes nothing", async () => {
    const { outbox, calls, settle, stands, set } = startOutbox();
    void outbox.add(note("a"));
    set([]);
    await settle(() => calls[0]?.fail(new Failure("internal")));
    expect(stands()).toEqual([]);
    outbox.doubt("a", new Failure("internal"));
    expect(stands()).toEqual([]);
  });

  it("a message that is added when the lane has just become free is sent", async () => {
    const { outbox, calls, keys } = startOutbox();
    const first = outbox.add(note("a"));
    calls[0]?.confirm();
    await first;
    void outbox.add(note("b"));
    expect(keys()).toEqual(["a", "b"]);
  });
});
