import { readFileSync } from "node:fs";
import { createServer, request as sendRequest } from "node:http";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { FAILURES } from "../../shared/errors.ts";
import type { V1Operation } from "../../shared/operation.ts";
import { listenOnFreePort } from "../../shared/testing/listen.ts";
import { V1_CONTRACT } from "../../shared/v1/contract.ts";
import { endConversation, startConversation } from "../../shared/v1/conversations.ts";
import { requestHandoff } from "../../shared/v1/handoffs.ts";
import { identify } from "../../shared/v1/identify.ts";
import { providerSelection } from "../../shared/v1/provider-selection.ts";
import { sessions } from "../../shared/v1/sessions.ts";
import { supportSelection } from "../../shared/v1/support-selection.ts";
import { sendTurn } from "../../shared/v1/turns.ts";
import { FAULT_NAMES, FAULTS, type FaultName } from "../upstream/faults.ts";
import { startMockUpstream } from "../upstream/mock.ts";
import { accept, ContractError, createMask, readAnswer } from "./answered.ts";
import { type Call, createClient, newExternalId, newKey } from "./client.ts";
import { DEFAULT_SCHEMES } from "./environment.ts";
import { turnOf } from "./optional.ts";
import { sentenceOf } from "./sentences.ts";

const OPERATIONS = [
  identify,
  sessions,
  providerSelection,
  supportSelection,
  startConversation,
  requestHandoff,
  endConversation,
  sendTurn,
] as const;

/** Faults that are an answer; how a broken connection is reported is Node's. */
const ANSWERS = FAULT_NAMES.filter((name) => /^(status|redirect)-|-200$|-201$|-202$|-204$/.test(name));
const OTHERS: readonly FaultName[] = [
  "html-as-json",
  "truncated-json",
  "other-id",
  "wrong-content-type",
  "huge-50mb",
];

/** Node's fetch sends headers of a browser, which the mock refuses: they are left out on the way. */
async function withoutBrowserHeaders(target: string): Promise<string> {
  const server = createServer((request, response) => {
    const { "accept-language": _, "sec-fetch-mode": __, ...headers } = request.headers;
    const onward = sendRequest(target + request.url, { method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  const { url, close } = await listenOnFreePort(server);
  onTestFinished(close);
  return url;
}

async function open() {
  const mock = await startMockUpstream({ kind: "full" });
  onTestFinished(() => mock.close());
  const client = createClient({
    baseUrl: await withoutBrowserHeaders(mock.url),
    credential: mock.secrets.credential,
    publicKey: { header: "x-public-key", value: mock.secrets.publicKey },
    handoffSecret: { header: "x-handoff-secret", value: mock.secrets.handoffSecret },
    schemes: DEFAULT_SCHEMES,
  });
  return { mock, client };
}

/** A right call of each operation, in a conversation of its own. */
async function callOf(client: ReturnType<typeof createClient>, id: string): Promise<Call> {
  const { token, externalId } = await client.openSession();
  if (id === "identify" || id === "sessions") return { body: { externalId: newExternalId() } };
  if (id.endsWith("Selection")) return { token, body: { userID: externalId } };
  if (id === "conversations") return { token, body: { subject: "One" } };
  const conversationId = await client.startConversation(token);
  if (id === "handoffs") return { token, body: { conversationId } };
  if (id === "turns") return { token, id: conversationId, body: turnOf(newKey()) };
  return { token, id: conversationId };
}

describe("SUITE1 the contract suite refuses what a BFF refuses", () => {
  it.each(OPERATIONS)("$id: every answer of the fault table that proves nothing", async (operation) => {
    const { mock, client } = await open();
    const { secrets } = mock;
    const wrong: string[] = [];
    for (const name of [...ANSWERS, ...OTHERS]) {
      const verdict = FAULTS[name].verdict(operation.id);
      if (verdict !== "fails" && verdict !== "holds") continue;
      const call = await callOf(client, operation.id);
      mock.setFault(operation.id, name);
      const error: unknown = await client.call(operation, call).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      await mock.clearFaults();
      if (verdict === "holds" ? error !== undefined : !(error instanceof ContractError)) wrong.push(name);
      if (!(error instanceof ContractError)) continue;
      const status = /^(?:status|redirect)-(\d+)$|-(20\d)$/.exec(name)?.slice(1).find(Boolean);
      const head = `${operation.method} ${operation.path} answered ${status ?? ""}`;
      if (!error.message.startsWith(head)) wrong.push(`${name}: ${error.message}`);
      expect(error.message).toContain("docs/contract.md: ");
      for (const secret of [secrets.credential, secrets.handoffSecret, ...(call.token ? [call.token] : [])])
        expect(error.message).not.toContain(secret);
    }
    expect(wrong).toEqual([]);
  });

  const asked = { params: { id: "c1" }, request: { conversationId: "c1" } };
  const answered = (body: object) => ({
    operation: requestHandoff,
    status: 201,
    mediaType: "application/json",
    bytes: Buffer.from(JSON.stringify(body)),
  });
  const messageOf = (body: object) => {
    try {
      accept(requestHandoff, asked, answered(body), createMask(["sk_canary"]));
    } catch (error) {
      if (error instanceof ContractError) return error.message;
      throw error;
    }
    return "accepted";
  };

  it("a failure says endpoint, status, reason, body without secrets, and the sentence of the contract", () => {
    const other = { handoff: { id: "h", conversationId: "c2", status: "requested" }, echo: "sk_canary" };
    expect(messageOf(other)).toBe(
      [
        "POST /v1/support/handoffs answered 201 as application/json: it is about something else than what was sent, or says that it was not done.",
        '  body: {"handoff":{"id":"h","conversationId":"c2","status":"requested"},"echo":"***"}',
        "  docs/contract.md: OURS 2xx with `{handoff: {id: non-empty, conversationId: the one sent, status}}`",
      ].join("\n"),
    );
    expect(messageOf({ handoff: { id: "h", conversationId: "c1", status: "requested" } })).toBe("accepted");
  });

  it.each<[object, RegExp]>([
    [{ error: "no" }, /A 2xx that reports a failure/],
    [
      { ok: false, handoff: { id: "h", conversationId: "c1", status: "requested" } },
      /A 2xx that reports a failure/,
    ],
    [{ handoff: { id: "h", conversationId: "c1", status: "declined" } }, /says that it was not done/],
    [
      { handoff: { id: "", conversationId: "c1", status: "x" } },
      /a field is missing or wrong \(handoff\.id\)/,
    ],
    [{ token: "canary-token" }, /"token":"\*\*\*"/],
  ])("%j", (body, sentence) => {
    expect(messageOf(body)).toMatch(sentence);
    expect(messageOf(body)).not.toContain("canary");
  });

  it("a call without an answer in time names its endpoint", async () => {
    const { client } = await open();
    const late = AbortSignal.abort(new DOMException("late", "TimeoutError"));
    vi.spyOn(AbortSignal, "timeout").mockReturnValue(late);
    onTestFinished(() => void vi.restoreAllMocks());
    await expect(client.call(identify, { body: { externalId: "a" } })).rejects.toThrow(
      "POST /v1/customers/identify did not answer within the 8 s that a BFF waits.",
    );
  });

  it("refuses a compressed answer, which a BFF does not read", async () => {
    const body = JSON.stringify({ handoff: { id: "h", conversationId: "c1", status: "requested" } });
    const answer = (headers: object) =>
      readAnswer(
        requestHandoff,
        new Response(body, { headers: { "content-type": "application/json", ...headers } }),
      );
    const take = async (headers: object) =>
      accept(requestHandoff, asked, await answer(headers), createMask([])).handoff.id;
    await expect(take({ "content-encoding": "gzip" })).rejects.toThrow(/answered 200 .*compressed/);
    expect(await take({})).toBe("h");
    expect(await take({ "content-encoding": "identity" })).toBe("h");
  });

  it("docs/contract.md names each reason of a refusal that a BFF passes on, with its status", () => {
    const document = readFileSync(new URL("../../docs/contract.md", import.meta.url), "utf8");
    const reasons = V1_CONTRACT.flatMap((operation: V1Operation) => operation.refusals ?? []);
    const unnamed = reasons.filter((code) => !document.includes(`${FAILURES[code][0]} \`${code}\``));
    expect(new Set(unnamed)).toEqual(new Set());
  });

  it.each(V1_CONTRACT)("docs/contract.md has a sentence about $method $path", (operation) => {
    expect(sentenceOf(operation)).not.toMatch(/does not name/);
    expect(sentenceOf(operation).length).toBeGreaterThan(10);
  });
});
