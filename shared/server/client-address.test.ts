import { describe, expect, it } from "vitest";
import { clientAddress } from "./client-address.ts";

describe("the client's address", () => {
  it.each<[string, string | undefined, string | undefined, number, string]>([
    ["a direct client's claim counts for nothing", "203.0.113.9", "1.2.3.4", 0, "203.0.113.9"],
    ["one proxy: the entry that it wrote", "10.0.0.1", "1.2.3.4, 198.51.100.7", 1, "198.51.100.7"],
    [
      "two proxies: the entry of the outer one",
      "10.0.0.1",
      "1.2.3.4, 198.51.100.7, 10.0.0.2",
      2,
      "198.51.100.7",
    ],
    ["fewer entries than proxies", "10.0.0.1", "198.51.100.7", 2, "10.0.0.1"],
    ["no header behind a proxy", "10.0.0.1", undefined, 1, "10.0.0.1"],
    ["IPv4 with the port of its connection", "10.0.0.1", "1.2.3.4:5, 198.51.100.7:4711", 1, "198.51.100.7"],
    ["IPv6 with a port", "10.0.0.1", "[2001:db8:1:2ff::1]:4711", 1, "20010db8000102/56"],
    ["IPv6 in brackets", "10.0.0.1", "[2001:db8:1:2ff::1]", 1, "20010db8000102/56"],
    ["an octal spelling", "10.0.0.1", "0177.0.0.1", 1, "10.0.0.1"],
    ["words", "10.0.0.1", "unknown", 1, "10.0.0.1"],
    ["300 entries", "10.0.0.1", `${"1.1.1.1, ".repeat(300)}198.51.100.7`, 1, "198.51.100.7"],
    ["IPv4 in IPv6", "::ffff:127.0.0.1", undefined, 0, "127.0.0.1"],
    ["IPv6 by its /56", "2001:db8:1:2ff::1", undefined, 0, "20010db8000102/56"],
    ["IPv6 of the same household", "2001:db8:1:2aa:1:2:3:4", undefined, 0, "20010db8000102/56"],
    ["IPv6 of the next", "2001:db8:1:3ff::1", undefined, 0, "20010db8000103/56"],
    ["IPv6 with a zone", "fe80::1%eth0", undefined, 0, "fe800000000000/56"],
    ["loopback", "::1", undefined, 0, "00000000000000/56"],
    ["no connection", undefined, undefined, 0, "unknown"],
  ])("%s", (_, socket, forwarded, proxies, expected) => {
    expect(clientAddress(socket, forwarded, proxies)).toBe(expected);
  });
});
