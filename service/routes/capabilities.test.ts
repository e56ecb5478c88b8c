import { describe, expect, test } from "vitest";
import { Capability } from "../../shared/capability.ts";
import { capabilities } from "../../shared/v1/capabilities.ts";
import { V1_CONTRACT } from "../../shared/v1/contract.ts";
import { openTestService } from "../testing/test-service.ts";

describe("capabilities", () => {
  test("name everything that a service may offer, because this one offers all of it", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const answer = await ann.get("/v1/support/capabilities");
    const told = capabilities.answer.parse(await answer.json()).capabilities;
    expect([...told].sort()).toEqual([...Capability.options].sort());
  });

  test.each(V1_CONTRACT.map(({ id, method, path }) => [id, method, path] as const))(
    "the operation %s has a handler",
    async (_id, method, path) => {
      const t = await openTestService();
      const answer = await t.request(path.replace(/:\w+/g, "conv_1"), { method });
      expect(answer.status).toBe(401);
    },
  );
});
