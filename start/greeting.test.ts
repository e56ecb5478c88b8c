import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseConfig } from "../bff/config.ts";
import { addressOf, greetingOf } from "./greeting.ts";

const configOf = (env: Record<string, string>) => parseConfig(env, () => "");
const greet = (env: Record<string, string>, setupLink?: string) =>
  greetingOf(configOf(env), { service: { setupLink }, reasons: [] });

describe("GATE4 the greeting", () => {
  it.each([
    ["127.0.0.1", "http://localhost:3000"],
    ["0.0.0.0", "http://localhost:3000"],
    ["::", "http://localhost:3000"],
    ["::1", "http://localhost:3000"],
    ["127.0.0.2", "http://127.0.0.2:3000"],
    ["fd00::2", "http://[fd00::2]:3000"],
  ])("HOST=%s is reached at %s", (HOST, address) => {
    expect(addressOf(configOf({ HOST }))).toBe(address);
  });

  it("on this machine lists every address and nothing else", () => {
    expect(greet({}, "http://localhost:3000/desk#x").split("\n")).toEqual([
      "",
      "  Parley is ready.",
      "",
      "  Demo shop   http://localhost:3000/",
      "  Desk        http://localhost:3000/desk",
      '  The tag     <script async src="http://localhost:3000/widget.js"></script>',
      "",
      "  First sign-in to the desk, once:",
      "  http://localhost:3000/desk#x",
      "",
      "",
    ]);
  });

  it("calls it ready only if it is, and otherwise says why it is not", () => {
    const reasons = ["The session store can't be written.", "The service at BASE_URL does not answer."];
    const text = greetingOf(configOf({}), { service: undefined, reasons });
    expect(text).not.toContain("Parley is ready");
    expect(text.split("\n").slice(1, 5)).toEqual([
      "  Parley is running, but it is not ready:",
      ...reasons.map((reason) => `  ${reason}`),
      "  http://localhost:3000/readyz says when it is.",
    ]);
  });

  it("has the desk at the address of the README", () => {
    const [address = ""] = /http:\S+\/desk\b/.exec(readFileSync("README.md", "utf8")) ?? [];
    expect(address).toBe(`${addressOf(configOf({}))}/desk`);
    expect(greet({})).toContain(`Desk        ${address}\n`);
  });

  it.each(["::1", "fd00::2"])(
    "offers no shop that a browser can't frame (HOST=%s), and names the allowed origins",
    (HOST) => {
      const text = greet({ HOST });
      expect(text).not.toContain("Demo shop");
      expect(text).toContain(
        "Only pages of these origins may show the chat:\n  http://localhost:3000 http://127.0.0.1:3000",
      );
      expect(text).toContain("ALLOWED_ORIGINS=");
    },
  );

  it("names the origins of ALLOWED_ORIGINS when the process listens on every address", () => {
    expect(greet({ HOST: "::", ALLOWED_ORIGINS: "http://192.0.2.2:3000" })).toContain(
      "http://192.0.2.2:3000\n",
    );
  });

  it("warns that a desk without TLS on another machine loses its sign-in", () => {
    expect(greet({ HOST: "192.0.2.2" })).toContain("only over https");
    expect(greet({ HOST: "127.0.0.2" })).not.toContain("only over https");
    expect(greetingOf(configOf({ HOST: "192.0.2.2" }), { service: undefined, reasons: [] })).not.toContain(
      "desk",
    );
  });

  it("with PUBLIC_URL offers no shop and adds no note", () => {
    const env = { HOST: "0.0.0.0", PUBLIC_URL: "https://c.example", ALLOWED_ORIGINS: "https://a.example" };
    expect(greet(env)).not.toMatch(/Demo shop|ALLOWED_ORIGINS|over https/);
    expect(greet(env)).toContain('src="https://c.example/widget.js"');
  });
});
