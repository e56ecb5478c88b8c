import { describe, expect, it } from "vitest";
import { createFakeService, json } from "../../service/testing/fake/fake-service.ts";
import { Capability } from "../../shared/capability.ts";
import { openIdentityBench } from "../testing/identity-bench.ts";
import { createTestBff, problemOf } from "../testing/test-bff.ts";
import { createTestClock } from "../testing/test-clock.ts";

const EMAIL = "ann@shop.example";
const HOUR_MS = 3_600_000;

function open(capabilities?: readonly string[]) {
  const service = createFakeService();
  if (capabilities) service.answer("capabilities", () => json({ capabilities }));
  const clock = createTestClock();
  const bff = createTestBff({ service, clock });
  const leave = (token: string, email: unknown = EMAIL) =>
    bff.post("/api/conversation/contact", { email }, token);
  return { service, clock, bff, leave };
}

describe("CONTACT2 an address at the BFF", () => {
  it("is passed on for the session's own conversation, and confirmed by the service's echo", async () => {
    const { service, bff, leave } = open();
    const { token, id } = await bff.startConversation();
    for (const email of [EMAIL, null]) {
      const answer = await leave(token, email);
      expect([answer.status, await answer.json()]).toEqual([200, { contact: { email } }]);
    }
    expect(service.calls("contacts").map(({ path, body }) => [path, body])).toEqual([
      [`/v1/support/conversations/${id}/contact`, { email: EMAIL }],
      [`/v1/support/conversations/${id}/contact`, { email: null }],
    ]);
  });

  it.each([
    ["another address", (id: string) => ({ contact: { conversationId: id, email: "other@shop.example" } })],
    ["another conversation", () => ({ contact: { conversationId: "conv-2", email: EMAIL } })],
    ["no address", (id: string) => ({ contact: { conversationId: id, email: null } })],
    ["nothing", () => ({})],
  ])("TRUTH1 an answer with %s confirms nothing", async (_name, answerFor) => {
    const { service, bff, leave } = open();
    const { token, id } = await bff.startConversation();
    service.answer("contacts", () => json(answerFor(id)));
    expect(await problemOf(await leave(token))).toBe("502 not_confirmed");
  });

  it.each([
    "ann",
    "a@b.example\r\nBcc: c@d.example",
    "a@b.example,c@d.example",
    `${"a".repeat(300)}@b.example`,
    7,
  ])("%j is refused before the service is asked", async (email) => {
    const { service, bff, leave } = open();
    const { token } = await bff.startConversation();
    expect(await problemOf(await leave(token, email))).toBe("400 bad_request");
    expect(service.calls("contacts")).toEqual([]);
  });

  it("an address can be left at most ten times an hour, and never appears in the log", async () => {
    const { clock, bff, leave } = open();
    const { token } = await bff.startConversation();
    for (let count = 0; count < 10; count += 1) expect((await leave(token)).status).toBe(200);
    expect(await problemOf(await leave(token))).toBe("429 rate_limited");
    await clock.skip(HOUR_MS);
    expect((await leave(token)).status).toBe(200);
    expect(bff.lines.join("\n")).not.toContain(EMAIL);
  });

  it("LESS1 is not offered if the service does not take addresses", async () => {
    const { service, bff, leave } = open(Capability.options.filter((capability) => capability !== "contact"));
    const { token } = await bff.startConversation();
    expect((await leave(token)).status).toBe(404);
    expect(service.calls("contacts")).toEqual([]);
  });
});

describe("CONTACT1 who is asked for an address", () => {
  it.each([
    ["a visitor", undefined, true],
    ["a customer whose address the site did not sign", {}, true],
    ["a customer whose address the site signed", { email: EMAIL }, false],
  ])("%s: %s", async (_name, claims, isAsked) => {
    const bench = openIdentityBench();
    const state =
      claims === undefined
        ? await (await bench.bff.post("/api/session", {})).json()
        : await bench.enter("ann", { claims });
    expect(state.capabilities.includes("contact")).toBe(isAsked);
  });
});
