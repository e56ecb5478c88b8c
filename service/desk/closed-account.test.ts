import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDeskBench, type DeskBench, type SignedIn } from "./testing/desk-bench.ts";

let bench: DeskBench;
let workspaceId: string;

beforeEach(async () => {
  bench = createDeskBench();
  workspaceId = (await bench.addWorkspace("shop")).id;
});

afterEach(() => bench.close());

async function open(role: "admin" | "agent"): Promise<{ id: string; as: SignedIn }> {
  const as = await bench.signIn(workspaceId, `${role}@shop.example`, role);
  const { user } = (await (await bench.call("GET", "session", { as })).json()) as { user: { id: string } };
  return { id: user.id, as };
}

describe.each(["disable", "renewLink"] as const)(
  "a call in flight of a person whose account ends by %s",
  (end) => {
    const close = async ({ id }: { id: string }, by: string) => {
      const link = { hash: "h".repeat(64), expiresAt: bench.clock.now() + 1000 };
      await bench.store.deskPeople[end]({ workspaceId, userId: id, by }, link);
    };

    it.each([
      ["take", {}],
      ["resolve", {}],
      ["customer", { name: "Ann", email: null }],
    ])("DESK4 changes nothing: %s", async (action, body) => {
      const { id, owner } = await bench.waitingConversation(workspaceId);
      const admin = await open("admin");
      const ben = await open("agent");
      const called = bench.call("POST", `conversations/${id}/${action}`, { as: ben.as, body });
      await close(ben, admin.id);
      expect((await called).status).toBe(401);
      const log = await bench.customerLog(owner, id);
      expect(log.at(-1)?.type).toBe("handoff.requested");
      const { customer } = await bench.store.erasure.exportCustomer(workspaceId, "customer-1");
      expect(customer).toMatchObject({ teamName: null });
    });

    it("DESK4 changes nothing: read", async () => {
      const { id, owner } = await bench.waitingConversation(workspaceId);
      const admin = await open("admin");
      const ben = await open("agent");
      await bench.call("POST", `conversations/${id}/take`, { as: ben.as });
      const called = bench.call("POST", `conversations/${id}/read`, { as: ben.as, body: { seq: 2 } });
      await close(ben, admin.id);
      expect((await called).status).toBe(401);
      const { read } = await bench.store.conversations.readEvents(owner, id, 0, 0);
      expect(read).toBeUndefined();
    });

    it("DESK4 opens no stream", async () => {
      const admin = await open("admin");
      const ben = await open("agent");
      // So that the gate writes when the session was last used.
      bench.clock.advance(60_000);
      const called = bench.call("GET", "events", { as: ben.as });
      await close(ben, admin.id);
      expect((await called).status).toBe(401);
    });
  },
);
