import { expect, it } from "vitest";
import { createFakeService } from "../../service/testing/fake/fake-service.ts";
import { createTestBff, problemOf } from "../testing/test-bff.ts";

it.each([
  ["an erasure", "DELETE", "/content", undefined],
  ["an end", "DELETE", "", undefined],
  ["a rating", "POST", "/rating", { score: "up" }],
  ["an address", "POST", "/contact", { email: "ann@shop.example" }],
  ["a request for a person", "POST", "/handoff", {}],
])("ERASE3 %s reaches only the conversation on the screen", async (...row) => {
  const [, method, path, body] = row;
  const service = createFakeService();
  const bff = createTestBff({ service });
  const { token, id: former } = await bff.startConversation();
  await bff.request("DELETE", "/api/conversation", { token });
  const next = { clientMessageId: "k2", body: "On the other device" };
  await bff.post("/api/conversation", next, token);
  const current = [...service.conversations.keys()].find((id) => id !== former);
  const made = service.seen.length;
  const ask = (id: string) => {
    const address = `/api/conversation${path}?conversationId=${id}`;
    return method === "POST" ? bff.post(address, body, token) : bff.request(method, address, { token });
  };
  expect(await problemOf(await ask(former))).toBe("502 not_confirmed");
  expect(service.seen.slice(made)).toEqual([]);
  expect((await ask(`${current}`)).ok).toBe(true);
  const call = service.seen.at(-1);
  expect(`${call?.path} ${JSON.stringify(call?.body)}`).toContain(current);
});
