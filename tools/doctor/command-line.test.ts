import { describe, expect, it } from "vitest";
import { createScriptedService, json } from "../../bff/testing/scripted-service.ts";
import { createTestBff } from "../../bff/testing/test-bff.ts";
import { createTestClock } from "../../bff/testing/test-clock.ts";
import type { Finding } from "../../shared/api/doctor.ts";
import { runDoctor } from "./command-line.ts";
import { fault, good, note } from "./finding.ts";

const SERVICE = { BASE_URL: "https://support.example.com", APPLICATION_CREDENTIAL: "sk_canary" };

function run(args: string[], env: Record<string, string>, findings: readonly Finding[] = []) {
  return runDoctor({
    args,
    env,
    readFile: () => "",
    examine: () => Promise.resolve(findings),
    askRunning: () => Promise.resolve([good("service", "asked the running one")]),
    readPage: (url) =>
      url.includes("gone")
        ? Promise.reject(new Error("gone"))
        : Promise.resolve({ url, policy: undefined, html: "" }),
  });
}

describe("npm run doctor", () => {
  it.each<[string, Finding[], number, string]>([
    ["all is well", [good("address", "It answers.")], 0, "All is well."],
    ["with less is well", [note("capabilities", "No events.")], 0, "note  No events."],
    [
      "a fault is not",
      [good("address", "It answers."), fault("clock", "Late.")],
      1,
      "WRONG Late.\n\n1 thing is wrong.",
    ],
  ])("%s", async (_, findings, code, text) => {
    const { output, exitCode } = await run([], SERVICE, findings);
    expect(exitCode).toBe(code);
    expect(output).toContain(text);
  });

  it("names every fault of the configuration, and asks nobody", async () => {
    const { output, exitCode } = await run([], { BASE_URL: "http://support.example.com", PORT: "x" });
    expect(exitCode).toBe(1);
    for (const name of ["BASE_URL must be https", "PORT must be", "APPLICATION_CREDENTIAL is missing"])
      expect(output).toContain(name);
    expect(output).toContain("3 things are wrong.");
  });

  it("asks the process that runs where the service is embedded", async () => {
    expect((await run([], {})).output).toContain("asked the running one");
  });

  it("looks at pages, and says which can't be read", async () => {
    const { output, exitCode } = await run(["--page", "https://gone.example.com/"], SERVICE);
    expect(output).toContain("https://gone.example.com/ can't be read from here.");
    expect(exitCode).toBe(1);
    const shop = await run(["--page", "https://shop.example.com"], SERVICE);
    expect(shop.output).toContain("https://shop.example.com may not show the panel");
  });

  it.each([[["--pgae", "https://x.example"]], [["--page"]], [["--page", "file:///etc/passwd"]]])(
    "%j is none of its words",
    async (args) => {
      const { output, exitCode } = await run(args, SERVICE);
      expect(exitCode).toBe(2);
      expect(output).toContain("npm run doctor -- --page");
    },
  );

  it("no credential is printed", async () => {
    expect((await run([], SERVICE)).output).not.toContain("canary");
  });
});

describe("GET /api/doctor", () => {
  const PUBLIC = { PUBLIC_URL: "https://chat.example.com", ALLOWED_ORIGINS: "http://localhost:3000" };

  it("says how it is, and asks the service once for many", async () => {
    const service = createScriptedService();
    const bff = createTestBff({ service, clock: createTestClock() });
    const ask = () => bff.request("GET", "/api/doctor");
    const [first] = await Promise.all([ask(), ask(), ask()]);
    expect(await first?.json()).toMatchObject({ well: true });
    expect(service.calls("identify")).toHaveLength(1);
  });

  it("says what is wrong, with status 200: the examination itself worked", async () => {
    const service = createScriptedService();
    service.answer("identify", () => json({}, 401));
    const answer = await createTestBff({ service, clock: createTestClock() }).request("GET", "/api/doctor");
    expect(answer.status).toBe(200);
    expect(JSON.stringify(await answer.json())).toContain("refuses the application credential (401)");
  });

  it.each([
    [PUBLIC, 404],
    [{ ...PUBLIC, DOCTOR: "on" }, 200],
    [{ DOCTOR: "off" }, 404],
    [{}, 200],
  ])("%j: %i", async (env, status) => {
    const bff = createTestBff({ service: createScriptedService(), env: env as Record<string, string> });
    expect((await bff.request("GET", "/api/doctor")).status).toBe(status);
  });
});
