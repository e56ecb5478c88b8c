import { expect, test } from "vitest";
import { createEnvironmentReader } from "../../shared/server/environment.ts";
import { createManualClock } from "../testing/manual-clock.ts";
import { openTestService } from "../testing/test-service.ts";
import type { HandoffAdapter, Outbound } from "./adapter.ts";
import { createMailbox } from "./testing/mailbox-adapter.ts";

const never = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error));
  });

test("a target that does not answer is given up by the service's clock, and gets each message once", async () => {
  const clock = createManualClock();
  const twin = createMailbox();
  const reader = createEnvironmentReader({}, () => "");
  const mailbox = twin.kind.configure(reader).open({ clock, fetch });
  const outbound = mailbox.outbound ?? expect.unreachable();
  const hanging = new Set<keyof Outbound>(["send", "readBack", "close"]);
  const hangs = (call: keyof Outbound) => hanging.delete(call);
  const adapter: HandoffAdapter = {
    ...mailbox,
    outbound: {
      send: (ref, message, signal) => (hangs("send") ? never(signal) : outbound.send(ref, message, signal)),
      readBack: (ref, signal) => (hangs("readBack") ? never(signal) : outbound.readBack(ref, signal)),
      close: (_ref, signal) => (hangs("close") ? never(signal) : expect.unreachable()),
    },
  };
  const t = await openTestService({ adapters: [adapter] }, undefined, { clock });
  const ann = await t.customer("ann");
  const id = await ann.start();
  await ann.post("/v1/support/handoffs", { conversationId: id });
  await ann.say(id, "one");
  await ann.delete(`/v1/support/conversations/${id}`);
  for (let seconds = 0; seconds < 60; seconds += 1) {
    for (let turns = 0; turns < 3; turns += 1) await new Promise(setImmediate);
    clock.advance(1000);
  }
  await t.service.settled();
  expect(hanging).toEqual(new Set());
  expect(twin.read(id).map(({ body }) => body)).toEqual(["one"]);
  expect(t.log.text()).toContain('"error":"TimeoutError"');
});
