import { describe, expect, test } from "vitest";
import { endConversation, startConversation } from "../../shared/v1/conversations.ts";
import { requestHandoff } from "../../shared/v1/handoffs.ts";
import { identify } from "../../shared/v1/identify.ts";
import { providerSelection } from "../../shared/v1/provider-selection.ts";
import { sessions } from "../../shared/v1/sessions.ts";
import { supportSelection } from "../../shared/v1/support-selection.ts";
import { type Client, type Facts, newExternalId } from "./client.ts";

/** The tests that every service of the contract must pass. */
export function describeTheSeven(client: Client, facts: Facts): void {
  describe("the seven endpoints", () => {
    test("1 identify creates or updates, and names no other externalId than the one sent", async () => {
      const externalId = newExternalId();
      for (const attributes of [{ plan: "pro" }, { plan: "free", seats: 2 }]) {
        const answer = await client.call(identify, {
          body: { externalId, displayName: "Contract", attributes },
        });
        expect([undefined, externalId]).toContain(answer.externalId);
        expect([undefined, externalId]).toContain(answer.customer?.externalId);
      }
    });

    test("2 a session has a token", async () => {
      const { token } = await client.call(sessions, { body: { externalId: newExternalId() } });
      expect(token).not.toBe("");
    });

    test("3 provider-selection names a provider", async () => {
      const { token, externalId } = await client.openSession();
      const answer = await client.call(providerSelection, { token, body: { userID: externalId } });
      expect(answer.provider).not.toBe("");
    });

    test("4 support-selection names channel and agent with a reason and a time to live, or is missing", async () => {
      const { token, externalId } = await client.openSession();
      const call = { token, body: { userID: externalId } };
      if (!facts.hasSupportSelection) {
        expect([404, 405]).toContain((await client.send(supportSelection, call)).status);
        return;
      }
      const answer = await client.call(supportSelection, call);
      expect(answer.ttlSeconds).toBeGreaterThanOrEqual(0);
    });

    test("4 an unavailable preference is not returned as selected", async () => {
      const { token, externalId } = await client.openSession();
      const wish = "no-such-agent-of-the-contract-suite";
      const response = await client.send(supportSelection, {
        token,
        body: { userID: externalId, agentProvider: wish },
      });
      if (!response.ok) return;
      expect(supportSelection.answer.parse(await response.json()).agentProvider).not.toBe(wish);
    });

    test("5 a conversation has an id, and each start creates another", async () => {
      const { token } = await client.openSession();
      const first = await client.call(startConversation, { token, body: { subject: "One" } });
      const second = await client.call(startConversation, { token, body: { subject: "Two" } });
      expect(first.conversation.id).not.toBe(second.conversation.id);
    });

    test("6 a handoff names the conversation that was sent", async () => {
      const { token } = await client.openSession();
      const conversationId = await client.startConversation(token);
      const body = {
        conversationId,
        reason: "The contract suite asks.",
        currentIntent: "To see that it works.",
      };
      const { handoff } = await client.call(requestHandoff, { token, body });
      expect(handoff.conversationId).toBe(conversationId);
    });

    test("7 an end has no body or names the same conversation", async () => {
      const { token } = await client.openSession();
      const id = await client.startConversation(token);
      const answer = await client.call(endConversation, { token, id });
      expect([undefined, id]).toContain(answer?.id ?? answer?.conversation?.id);
    });
  });

  describe("the seven endpoints refuse", () => {
    test("a caller without valid credentials", async () => {
      const body = { externalId: newExternalId() };
      for (const bearer of [null, "", "x", "parley_sk_x"]) {
        for (const operation of [identify, sessions]) {
          if (!client.isProven(operation)) continue;
          const answer = await client.send(operation, { forged: bearer, body });
          expect(answer.ok, `${operation.id} with ${bearer}`).toBe(false);
        }
        if (!client.isProven(startConversation)) continue;
        const start = await client.send(startConversation, { forged: bearer, body: {} });
        expect(start.ok, `start with ${bearer}`).toBe(false);
      }
    });

    test("a token that was changed", async () => {
      const { token } = await client.openSession();
      const changed = `${token.slice(0, -6)}${token.endsWith("AAAAAA") ? "BBBBBB" : "AAAAAA"}`;
      if (!client.provesCustomer(startConversation)) return;
      expect((await client.send(startConversation, { forged: changed, body: {} })).ok).toBe(false);
    });

    test("a profile without externalId: an e-mail address is not a key", async () => {
      const body = { email: "nobody@example.com" };
      expect((await client.send(identify, { body })).ok).toBe(false);
      expect((await client.send(sessions, { body })).ok).toBe(false);
    });

    test("another customer's conversation, and a missing one", async () => {
      if (!client.provesCustomer(startConversation, requestHandoff, endConversation)) return;
      const owner = await client.openSession();
      const other = await client.openSession();
      const id = await client.startConversation(owner.token);
      for (const one of [id, "no-such-conversation"]) {
        const body = { conversationId: one };
        expect((await client.send(requestHandoff, { token: other.token, body })).ok).toBe(false);
        expect((await client.send(endConversation, { token: other.token, id: one })).ok).toBe(false);
      }
      await client.call(endConversation, { token: owner.token, id });
    });
  });
}
