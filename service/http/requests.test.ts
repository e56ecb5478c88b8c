import { connect } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { Failure } from "../../shared/errors.ts";
import { listen } from "../server.ts";
import { json } from "../testing/test-customer.ts";
import { openTestService, problemOf, type TestService } from "../testing/test-service.ts";

const PATH = "/v1/customers/identify";

function send(t: TestService, body: BodyInit, headers: Record<string, string> = {}) {
  return t.request(PATH, {
    method: "POST",
    headers: {
      authorization: `Bearer ${t.workspace.credential}`,
      "content-type": "application/json",
      ...headers,
    },
    body,
  });
}

/** One raw request over a socket, and what came back until the connection closed. */
async function raw(t: TestService, head: string, body: string): Promise<string> {
  const listening = await listen(t.service.app, { host: "127.0.0.1", port: 0 });
  onTestFinished(() => listening.stop());
  const socket = connect(Number(new URL(listening.url).port), "127.0.0.1");
  let answer = "";
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => {
    answer += chunk;
    if (answer.includes("\r\n\r\n")) socket.end();
  });
  // The server may close while we still write; what it answered before counts.
  socket.on("error", () => socket.destroy());
  socket.write(
    `POST ${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${t.workspace.credential}\r\nContent-Type: application/json\r\n${head}\r\n\r\n`,
  );
  socket.write(body);
  await new Promise((resolve) => socket.once("close", resolve));
  return answer.split("\r\n")[0] ?? "";
}

describe("a store that fails", () => {
  test("is logged with its error, whose message is left out", async () => {
    const t = await openTestService();
    const cause = Object.assign(new Error("disk I/O error near canary"), { code: "ERR_SQLITE_ERROR" });
    vi.spyOn(t.store.customers, "upsert").mockRejectedValueOnce(new Failure("unavailable", { cause }));
    expect((await send(t, JSON.stringify({ externalId: "ann" }))).status).toBe(503);
    expect(t.log.text()).toContain("ERR_SQLITE_ERROR");
    expect(t.log.text()).not.toContain("canary");
  });
});

describe("the body limit", () => {
  const large = JSON.stringify({ externalId: "x", displayName: "x".repeat(40_000) });

  test("applies to content-length", async () => {
    const t = await openTestService();
    expect((await problemOf(await send(t, large, { "content-length": String(large.length) }))).code).toBe(
      "body_too_large",
    );
  });

  test("applies when content-length is wrong", async () => {
    const t = await openTestService();
    expect((await send(t, large, { "content-length": "10" })).status).toBe(413);
    expect((await send(t, large, { "content-length": "abc" })).status).toBe(413);
  });

  test("applies to the bytes as they arrive when there is no content-length", async () => {
    const t = await openTestService();
    let pulled = 0;
    const endless = new ReadableStream({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new TextEncoder().encode("x".repeat(1024)));
      },
    });
    const answer = await t.request(PATH, {
      method: "POST",
      headers: { authorization: `Bearer ${t.workspace.credential}`, "content-type": "application/json" },
      body: endless,
      duplex: "half",
    } as RequestInit);
    expect(answer.status).toBe(413);
    expect(pulled).toBeLessThan(40);
  });

  test("applies over a socket: declared, and in chunks", async () => {
    const t = await openTestService();
    expect(await raw(t, `Content-Length: ${large.length}`, large)).toContain("413");
    const chunked = `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`;
    expect(await raw(t, "Transfer-Encoding: chunked", chunked)).toContain("413");
    expect(await raw(t, "Transfer-Encoding: chunked\r\nContent-Length: 5", chunked)).toContain("400");
  });

  test("lets a body within it pass (control)", async () => {
    const t = await openTestService();
    expect((await send(t, JSON.stringify({ externalId: "x", displayName: "x".repeat(200) }))).status).toBe(
      200,
    );
  });
});

describe("bodies that are refused", () => {
  test.each([
    ["text/plain", { "content-type": "text/plain" }],
    ["no type", { "content-type": "" }],
    ["a form", { "content-type": "application/x-www-form-urlencoded" }],
    ["gzip", { "content-encoding": "gzip" }],
  ])("%s", async (_name, headers) => {
    const t = await openTestService();
    const answer = await send(t, JSON.stringify({ externalId: "x" }), headers);
    expect((await problemOf(answer)).code).toBe("unsupported_media_type");
  });

  test.each([
    ["nothing", ""],
    ["no JSON", "{"],
    ["__proto__", '{"externalId":"x","__proto__":{"admin":true}}'],
    ["the same key twice", '{"externalId":"x","externalId":"y"}'],
    ["deep nesting", `{"externalId":"x","attributes":${"[".repeat(5000)}${"]".repeat(5000)}}`],
    ["a number that is lost", '{"externalId":"x","attributes":{"a":1e999}}'],
  ])("%s", async (_name, body) => {
    const t = await openTestService();
    expect((await problemOf(await send(t, body))).code).toBe("bad_json");
  });
});

describe("every answer", () => {
  test("is not stored, not sniffed, and has a request id", async () => {
    const t = await openTestService();
    for (const path of ["/v1/openapi.json", "/livez", "/nowhere", PATH]) {
      const { headers } = await t.request(path);
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("x-request-id")).toMatch(/^req_/);
    }
  });

  test("accepts a safe request id and no other", async () => {
    const t = await openTestService();
    const idOf = async (id: string) =>
      (await t.request("/livez", { headers: { "x-request-id": id } })).headers.get("x-request-id");
    expect(await idOf("0af7651916cd43dd")).toBe("0af7651916cd43dd");
    expect(await idOf("short")).toMatch(/^req_/);
    expect(await idOf('x"} forged line')).toMatch(/^req_/);
    expect(await idOf("x".repeat(65))).toMatch(/^req_/);
  });

  test("to an unknown path is 404, to a wrong method 405 with the allowed one", async () => {
    const t = await openTestService();
    for (const path of [
      "/",
      "/v1",
      "/v1/",
      "/V1/customers/identify",
      "//v1/customers/identify",
      `${PATH}/`,
    ]) {
      expect((await problemOf(await t.request(path, { method: "POST" }))).code, path).toBe("not_found");
    }
    for (const method of ["GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
      const answer = await t.request(PATH, { method });
      expect(answer.status, method).toBe(405);
      expect(answer.headers.get("allow")).toBe("POST");
    }
    const head = await t.request("/v1/support/capabilities", { method: "HEAD" });
    expect([head.status, head.headers.get("allow")]).toEqual([405, "GET"]);
  });

  test("after an error of ours is 500, and neither answer nor log contains the error's message", async () => {
    const t = await openTestService();
    const broken = await openTestService({
      store: {
        ...t.store,
        customers: { ...t.store.customers, upsert: () => Promise.reject(new Error("canary SELECT *")) },
      },
    });
    const answer = await broken.request(PATH, json({ externalId: "x" }, t.workspace.credential));
    const text = await answer.text();
    expect(answer.status).toBe(500);
    expect(text + broken.log.text()).not.toContain("canary");
    expect(text).toContain('"code":"internal"');
    expect(broken.log.text()).toContain("requests.test.ts");
  });
});
