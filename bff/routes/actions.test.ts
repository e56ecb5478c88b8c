import { expect, test } from "vitest";
import { createScriptedAgent } from "../../service/testing/agents.ts";
import { openTestService } from "../../service/testing/test-service.ts";
import { shopOf } from "../../service/tools/testing/shop-entry.ts";
import { openTestToolbox, startFakeMcp } from "../../service/tools/testing/test-toolbox.ts";
import type { SessionState } from "../../shared/api/session.ts";
import { createTestBff } from "../testing/test-bff.ts";

test("ACT3 the panel gets a card whole, its answer is confirmed, and a resume says what became of it", async () => {
  const fake = await startFakeMcp();
  const { toolbox } = await openTestToolbox([shopOf(fake)]);
  const agent = createScriptedAgent(async function* () {
    const input = { order: "1001", amount: 5 };
    yield { type: "action.requested", actionId: "own", tool: "shop_refund", input };
  });
  const t = await openTestService({ agents: [agent], toolbox });
  const bff = createTestBff({
    service: { fetch: (request) => t.service.app.fetch(request) },
    env: { APPLICATION_CREDENTIAL: t.workspace.credential, APPLICATION_PUBLIC_KEY: t.workspace.publicKey },
  });
  const { token } = await bff.startConversation();
  const actions = async () => {
    const answer = await bff.post("/api/session", {}, token);
    return ((await answer.json()) as SessionState).conversation?.actions ?? [];
  };
  await expect.poll(actions, { timeout: 30_000 }).toMatchObject([
    {
      title: "Refund an order",
      arguments: [
        { label: "Order", value: "1001" },
        { label: "Amount", value: "5" },
      ],
      confirm: "customer",
    },
  ]);
  const [asked] = await actions();
  const given = { actionId: asked?.actionId ?? "", approved: true };
  const answer = await bff.post("/api/conversation/actions", given, token);
  expect([answer.status, await answer.json()]).toEqual([200, { action: given }]);
  await expect
    .poll(actions, { timeout: 30_000 })
    .toMatchObject([{ approved: true, result: { status: "completed", text: "refund: done" } }]);
  expect(fake.calls).toHaveLength(1);
  const stranger = await bff.startConversation();
  expect((await bff.post("/api/conversation/actions", given, stranger.token)).status).toBe(502);
  expect(fake.calls).toHaveLength(1);
});
