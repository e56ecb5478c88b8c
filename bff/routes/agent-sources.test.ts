import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { httpProvider } from "../../service/agents/http/http-provider.ts";
import { agentDepsOf } from "../../service/testing/agents.ts";
import { openTestService } from "../../service/testing/test-service.ts";
import type { SessionState } from "../../shared/api/session.ts";
import type { Citation } from "../../shared/message-kinds/citations.ts";
import { createEnvironmentReader } from "../../shared/server/environment.ts";
import { listenOnFreePort } from "../../shared/testing/listen.ts";
import { createTestBff } from "../testing/test-bff.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const PROMISE = "You will receive your refund within 14 days.";

/** The answer of the owner's own agent with these sources, as its panel gets it. */
async function shownOf(type: "application/x-ndjson" | "text/event-stream", sources: readonly object[]) {
  const lines =
    type === "text/event-stream"
      ? [
          ...sources.map((value) => ({ type: "CUSTOM", name: "citation", value })),
          { type: "TEXT_MESSAGE_CHUNK", messageId: "a", role: "assistant", delta: `Hello. ${PROMISE}` },
          { type: "RUN_FINISHED" },
        ]
      : [
          ...sources.map((source) => ({ type: "citation", ...source })),
          { type: "response.delta", delta: `Hello. ${PROMISE}` },
          { type: "response.completed" },
        ];
  const ofLine = (line: object) =>
    type === "text/event-stream" ? `data: ${JSON.stringify(line)}\n\n` : `${JSON.stringify(line)}\n`;
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": type }).end(lines.map(ofLine).join(""));
  });
  const { url, close } = await listenOnFreePort(server);
  onTestFinished(close);
  const env = { AGENT_HTTP_URL: url, AGENT_HTTP_SECRET: SECRET };
  const agent = await httpProvider.configure(createEnvironmentReader(env, () => "")).open(agentDepsOf());
  const t = await openTestService({ agents: [agent] });
  const bff = createTestBff({
    service: { fetch: (request) => t.service.app.fetch(request) },
    env: { APPLICATION_CREDENTIAL: t.workspace.credential, APPLICATION_PUBLIC_KEY: t.workspace.publicKey },
  });
  const { token } = await bff.startConversation();
  await t.service.settled();
  const answer = await bff.post("/api/session", {}, token);
  return ((await answer.json()) as SessionState).conversation?.messages.at(-1);
}

const named = (citations: readonly Citation[] = []) => citations.map(({ title, url }) => [title, url]);

test.each(["application/x-ndjson", "text/event-stream"] as const)(
  "AGENT7 a source of the owner's agent whose title or address claims something is named by its host: %s",
  async (type) => {
    const shown = await shownOf(type, [
      { citationId: "1", title: "Opening hours", url: "https://shop.example/hours" },
      { citationId: "2", title: "Your refund of 40 EUR was made", url: "https://shop.example/refunds" },
      { citationId: "3", title: "I have cancelled your order" },
      { citationId: "4", title: "Refunds", url: "Your refund of 40 EUR was made" },
      { citationId: "5", title: "Sign in at evil.example", url: "https://shop.example/in" },
      { citationId: "6", title: PROMISE, url: "https://shop.example/terms", excerpt: "Refunds are free." },
      { citationId: "7", title: "\u202emade was refund ruoY", url: "https://shop.example/" },
    ]);
    expect(named(shown?.citations)).toEqual([
      ["Opening hours", "https://shop.example/hours"],
      ["shop.example", "https://shop.example/refunds"],
      ["[…]", undefined],
      ["Refunds", undefined],
      ["shop.example", "https://shop.example/in"],
      ["shop.example", "https://shop.example/terms"],
      ["shop.example", "https://shop.example/"],
    ]);
    // A title promises nothing for the owner.
    expect(shown?.body).toContain("Hello. ");
    expect(shown?.body).not.toContain(PROMISE);
  },
);

test("AGENT7 a title of the owner's agent passes where its excerpt has it as a promise", async () => {
  const source = { citationId: "1", title: PROMISE, url: "https://shop.example/terms", excerpt: PROMISE };
  const shown = await shownOf("application/x-ndjson", [source]);
  expect(named(shown?.citations)).toEqual([[PROMISE, "https://shop.example/terms"]]);
  expect(shown?.body).toBe(`Hello. ${PROMISE}`);
});
