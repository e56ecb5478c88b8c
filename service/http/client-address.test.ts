import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { createAddressOf } from "./client-address.ts";

const SOCKET = "10.0.0.9";

async function addressWith(trustedProxies: number, forwardedFor?: string): Promise<string> {
  const addressOf = createAddressOf(trustedProxies);
  const app = new Hono().get("/", (c) => c.text(addressOf(c)));
  const headers = forwardedFor === undefined ? {} : { "x-forwarded-for": forwardedFor };
  const bindings = { incoming: { socket: { remoteAddress: SOCKET } } };
  return (await app.request("/", { headers }, bindings)).text();
}

describe("the address that attempts are counted by", () => {
  it.each([
    [0, undefined, SOCKET],
    [0, "203.0.113.5", SOCKET],
    [1, "203.0.113.5", "203.0.113.5"],
    [1, "1.1.1.1, 203.0.113.5", "203.0.113.5"],
    [2, "1.1.1.1, 203.0.113.5, 10.0.0.2", "203.0.113.5"],
    [2, "203.0.113.5", SOCKET],
    [1, undefined, SOCKET],
    [1, "", SOCKET],
    [1, "unknown", SOCKET],
    [1, "203.0.113.5, evil", SOCKET],
    [1, "203.0.113.5:1234", "203.0.113.5"],
    [1, "2001:db8::7", "20010db8000000/56"],
    [1, `${"1.1.1.1, ".repeat(1000)}203.0.113.5`, "203.0.113.5"],
  ])("behind %i proxies, X-Forwarded-For %s gives %s", async (proxies, header, address) => {
    expect(await addressWith(proxies, header)).toBe(address);
  });
});
