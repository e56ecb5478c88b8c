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
        await client.call(identify, { body: { externalId, displayName: "Contract", attributes } });
      }
    });

    test("2 a session has a token", async () => {
      await client.call(sessions, { body: { externalId: newExternalId() } });
    });

    test("3 provider-selection names a provider", async () => {
      const { token, externalId } = await client.openSession();
      await client.call(providerSelection, { token, body: { userID: externalId } });
    });

    test("4 support-selection names channel and agent with a reason and a time to live, or is missing", async () => {
      const { token, externalId } = await client.openSession();
      const call = { token, body: { userID: externalId } };
      if (!facts.hasSupportSelection) {
        expect(supportSelection.absent).toContain((await client.send(supportSelection, call)).status);
        return;
      }
      await client.call(supportSelection, call);
    });

    test("4 an unavailable preference is not returned as selected", async () => {
      const { token, externalId } = await client.openSession();
      const wish = "no-such-agent-of-the-contract-suite";
      const call = { token, body: { userID: externalId, agentProvider: wish } };
      if (!(await client.send(supportSelection, call)).ok) return;
      const answer = await client.call(supportSelection, call);
      if (answer.agentProvider === wish)
        client.reject(supportSelection, answer, "no agent of this name exists.");
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
      const answer = await client.call(requestHandoff, { token, body });
      if (answer.handoff.status === "failed")
        client.reject(requestHandoff, answer, "the hand-off failed, and a BFF says so to the customer.");
    });

    if (!facts.capabilities.includes("events"))
      test("6 a handoff takes the longest transcript of a BFF that stores the log", async () => {
        const { token } = await client.openSession();
        const conversationId = await client.startConversation(token);
        const body = { conversationId, transcript: "語".repeat(100_000) };
        await client.call(requestHandoff, { token, body });
      });

    test("7 an end has no body or names the same conversation", async () => {
      const { token } = await client.openSession();
      const id = await client.startConversation(token);
      await client.call(endConversation, { token, id });
    });
  });

  describe("the seven endpoints refuse", () => {
    test("a caller without valid credentials", async () => {
      const body = { externalId: newExternalId() };
      for (const bearer of [null, "", "x", "parley_sk_x"]) {
        for (const operation of [identify, sessions]) {
          if (!client.isProven(operation)) continue;
          await client.refuses(operation, { forged: bearer, body }, "it has no valid credential.");
        }
        if (!client.isProven(startConversation)) continue;
        await client.refuses(startConversation, { forged: bearer, body: {} }, "it has no valid credential.");
      }
    });

    test("a token that was changed", async () => {
      const { token } = await client.openSession();
      const changed = `${token.slice(0, -6)}${token.endsWith("AAAAAA") ? "BBBBBB" : "AAAAAA"}`;
      if (!client.provesCustomer(startConversation)) return;
      await client.refuses(
        startConversation,
        { forged: changed, body: {} },
        "its session token was changed.",
      );
    });

    test("a profile without externalId: an e-mail address is not a key", async () => {
      const body = { email: "nobody@example.com" };
      for (const operation of [identify, sessions])
        await client.refuses(operation, { body }, "it has no externalId, and email is never a key.");
    });

    test("another customer's conversation, and a missing one", async () => {
      if (!client.provesCustomer(startConversation, requestHandoff, endConversation)) return;
      const owner = await client.openSession();
      const other = await client.openSession();
      const id = await client.startConversation(owner.token);
      for (const one of [id, "no-such-conversation"]) {
        const body = { conversationId: one };
        const why = "the session's customer has no such conversation.";
        await client.refuses(requestHandoff, { token: other.token, body }, why);
        await client.refuses(endConversation, { token: other.token, id: one }, why);
      }
      await client.call(endConversation, { token: owner.token, id });
    });
  });
}
