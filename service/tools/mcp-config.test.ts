import { describe, expect, test } from "vitest";
import { createEnvironmentReader } from "../../shared/server/environment.ts";
import { configureMcpServers } from "./mcp-config.ts";

const SHOP = {
  name: "shop",
  url: "https://shop.example/mcp",
  tools: [{ name: "find_order", effect: "reads" }],
};

function configure(value: unknown) {
  const files: Record<string, string> = {
    "/tools.json": JSON.stringify([SHOP]),
    "/secret": "Bearer s3cret\n",
    "/bad": "line\nbreak",
  };
  const readFile = (path: string) => {
    const text = files[path];
    if (text === undefined) throw Object.assign(new Error("no such file"), { code: "ENOENT" });
    return text;
  };
  const env = { MCP_SERVERS: typeof value === "string" ? value : JSON.stringify(value) };
  const reader = createEnvironmentReader(env, readFile);
  const servers = configureMcpServers(reader);
  return { servers, faults: reader.faults.map(({ fault }) => fault) };
}

describe("MCP_SERVERS", () => {
  test.each([
    ["a list", [SHOP]],
    ["the path of a file", "/tools.json"],
  ])("is %s", (_name, value) => {
    expect(configure(value)).toEqual({ servers: [{ ...SHOP, headers: {} }], faults: [] });
  });

  test("a header's secret is read from a file", () => {
    const headers = { authorization: { file: "/secret" }, "x-shop": "one" };
    const { servers, faults } = configure([{ ...SHOP, headers }]);
    expect(servers[0]?.headers).toEqual({ authorization: "Bearer s3cret", "x-shop": "one" });
    expect(faults).toEqual([]);
  });

  test.each([
    ["no JSON", "[", "is not valid JSON."],
    ["no list", "{}", "must be a list as JSON, or the path of a file with one."],
    ["no file", "/missing.json", "names a file that can't be read (ENOENT)."],
    ["an unknown field", [{ ...SHOP, tokens: 1 }], "0: has the unknown field tokens."],
    [
      "two unknown fields of a tool",
      [{ ...SHOP, tools: [{ name: "a", effect: "acts", Done: {}, titel: "A" }] }],
      "0.tools.0: has the unknown fields Done, titel.",
    ],
    ["http elsewhere", [{ ...SHOP, url: "http://shop.example/mcp" }], "0.url: must be https"],
    [
      "http at a name that begins like this machine",
      [{ ...SHOP, url: "http://127.evil.example/" }],
      "must be https",
    ],
    ["a password in the address", [{ ...SHOP, url: "https://a:b@shop.example/" }], "without a user"],
    ["no tool", [{ ...SHOP, tools: [] }], "0.tools: "],
    ["an effect that does not exist", [{ ...SHOP, tools: [{ name: "a", effect: "writes" }] }], "effect"],
    [
      "a tool twice",
      [{ ...SHOP, tools: [...SHOP.tools, ...SHOP.tools] }],
      "0.tools: names these tools twice: find_order.",
    ],
    ["a server twice", [SHOP, SHOP], "names the server shop twice"],
    [
      "a tool that reads and is confirmed",
      [{ ...SHOP, tools: [{ ...SHOP.tools[0], confirm: "person" }] }],
      "nobody has to confirm",
    ],
    [
      "a tool that reads and is done",
      [{ ...SHOP, tools: [{ ...SHOP.tools[0], done: { status: "found" } }] }],
      "0.tools.0.done: is for a tool that acts",
    ],
    ...[{}, { order: {} }, { status: [null] }, { status: null }, "done"].map(
      (done): [string, unknown, string] => [
        `a sign of done like ${JSON.stringify(done)}`,
        [{ ...SHOP, tools: [{ name: "a", effect: "acts", done }] }],
        "0.tools.0.done",
      ],
    ),
    ...[{ id: "re_*" }, { id: ["*"] }, { refund: { id: ["open", "*"] } }].map(
      (done): [string, unknown, string] => [
        `a sign of done like ${JSON.stringify(done)}`,
        [{ ...SHOP, tools: [{ name: "a", effect: "acts", done }] }],
        '"*"',
      ],
    ),
    ["a header with a line break", [{ ...SHOP, headers: { a: { file: "/bad" } } }], "printable ASCII"],
    [
      "a header's file that is missing",
      [{ ...SHOP, headers: { a: { file: "/none" } } }],
      "can't be read (ENOENT).",
    ],
  ])("%s is refused with a sentence", (_name, value, fault) => {
    const { faults } = configure(value);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(fault);
  });

  test("OPS9 every fault of every server is reported", () => {
    const reading = { name: "a", effect: "reads", confirm: "person" };
    const tools = [reading, { name: "b", effect: "writes" }, { name: "c c", effect: "acts" }];
    const { faults } = configure([
      { ...SHOP, tools, url: "http://shop.example/mcp" },
      { ...SHOP, name: "stock", tools: [...SHOP.tools, ...SHOP.tools, reading, reading] },
      { ...SHOP, name: "A" },
      { ...SHOP, headers: { a: { file: "/bad" }, b: { file: "/none" } } },
      SHOP,
    ]);
    expect(faults).toEqual([
      expect.stringContaining("0.url: must be https"),
      expect.stringContaining("0.tools.0.confirm: is for a tool that acts"),
      expect.stringContaining("0.tools.1.effect: "),
      expect.stringContaining("0.tools.2.name: must be 1 to 128"),
      expect.stringContaining("1.tools.2.confirm: is for a tool that acts"),
      expect.stringContaining("1.tools.3.confirm: is for a tool that acts"),
      "1.tools: names these tools twice: find_order, a.",
      expect.stringContaining("2.name: must be 1 to 40"),
      "names the server shop twice.",
      "shop: the header a must be printable ASCII.",
      "shop: the header b names a file that can't be read (ENOENT).",
    ]);
  });

  test("OPS9 each tool that a server lists twice is named", () => {
    const two = [...SHOP.tools, { name: "b", effect: "reads" }];
    expect(configure([{ ...SHOP, tools: [...two, ...two] }]).faults).toEqual([
      "0.tools: names these tools twice: find_order, b.",
    ]);
  });

  test("OPS9 a tool that is listed twice is named beside the other faults of its entry", () => {
    const { faults } = configure([
      { ...SHOP, url: "http://shop.example/mcp", tools: [...SHOP.tools, { name: "a" }, ...SHOP.tools] },
    ]);
    expect(faults).toEqual([
      expect.stringContaining("0.url: must be https"),
      expect.stringContaining("0.tools.1.effect: "),
      "0.tools: names these tools twice: find_order.",
    ]);
  });
});
