import { afterEach, describe, expect, it } from "vitest";
import { type Config, parseConfig } from "../../bff/config.ts";
import { createPoolTransport } from "../../bff/upstream/pool-transport.ts";
import type { Transport } from "../../bff/upstream/transport.ts";
import { type MockOptions, type MockUpstream, startMockUpstream } from "../../e2e/upstream/mock.ts";
import { systemClock } from "../../shared/server/clock.ts";
import { examineService } from "./examine-service.ts";
import type { Finding } from "./finding.ts";

const quiet = () => undefined;
const LOG = { debug: quiet, info: quiet, warn: quiet, error: quiet };

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function open(options: MockOptions = { kind: "full" }): Promise<MockUpstream> {
  const mock = await startMockUpstream(options);
  closing.push(() => mock.close());
  return mock;
}

interface Look {
  readonly env?: Record<string, string>;
  readonly url?: string;
  readonly now?: number;
  readonly transport?: (real: Transport) => Transport;
  readonly withConversation?: boolean;
}

async function examine(mock: MockUpstream, look: Look = {}): Promise<readonly Finding[]> {
  const { credentials }: Config = parseConfig(
    {
      BASE_URL: look.url ?? mock.url,
      APPLICATION_CREDENTIAL: mock.secrets.credential,
      APPLICATION_PUBLIC_KEY: mock.secrets.publicKey,
      HANDOFF_SECRET: mock.secrets.handoffSecret,
      ...look.env,
    },
    () => "",
  );
  const real = createPoolTransport(look.url ?? mock.url);
  closing.push(() => real.close());
  const { now = Date.now() } = look;
  return examineService({
    transport: look.transport?.(real) ?? real,
    credentials,
    clock: { ...systemClock, now: () => now },
    log: LOG,
    withConversation: look.withConversation ?? false,
  });
}
const faults = (findings: readonly Finding[]) =>
  findings.filter(({ level }) => level === "fault").map(({ sentence }) => sentence);

/** A sentence about the service's capabilities. */
const OFFERED = /^The service (?:offers|does not offer) /;

describe("the doctor at the service", () => {
  it("finds nothing wrong with a whole service", async () => {
    const findings = await examine(await open());
    expect(faults(findings)).toEqual([]);
    expect(findings.map(({ level, sentence }) => `${level}: ${sentence}`)).toEqual([
      "good: The service at BASE_URL answers.",
      "good: The clocks of this machine and the service agree.",
      "good: The service accepts the application credential.",
      "good: The service opens sessions for this application.",
      "good: The service offers everything that this chat can use.",
      "good: The service selects a route for new conversations.",
      "good: Start: the endpoint is there, and refuses a caller without a credential.",
      "good: Hand-off: the endpoint is there, and refuses a caller without a credential.",
      "good: End: the endpoint is there, and refuses a caller without a credential.",
      "unseen: What the service says to a real start, hand-off and end: npm run doctor -- --conversation makes one of each.",
    ]);
  });

  it.each(["seven", "turns", "provider-only"] as const)(
    "finds nothing wrong with %s, and says what customers do without",
    async (kind) => {
      const findings = await examine(await open({ kind }));
      expect(faults(findings)).toEqual([]);
      const lacking = findings
        .filter(({ sentence }) => OFFERED.test(sentence))
        .map(({ sentence }) => sentence);
      if (kind === "seven")
        expect(lacking[0]).toMatch(/^The service does not offer turns: a conversation holds only/);
      if (kind === "turns")
        expect(lacking.join("\n")).toMatch(/does not offer events: .* do not arrive by themselves/);
    },
  );

  /** The service, whose answer to one path is another one. */
  const answering =
    (end: string, status: number, body: object, isProven = true) =>
    (real: Transport): Transport => ({
      ...real,
      async call(request) {
        const answer = await real.call(request);
        const isMeant = request.method === "POST" || end.endsWith("capabilities");
        if (!isMeant || !request.path.endsWith(end) || "authorization" in request.headers !== isProven)
          return answer;
        answer.discard();
        const bytes = Buffer.from(JSON.stringify(body));
        return Object.assign(answer, { status, mediaType: "application/json", read: async () => bytes });
      },
    });

  it("DOC2 says of every capability that the service lacks, and never that it offers everything", async () => {
    const capabilities = ["turns", "events", "messages", "link", "idempotency"];
    const findings = await examine(await open(), {
      transport: answering("/capabilities", 200, { capabilities }),
    });
    const said = findings.filter(({ sentence }) => OFFERED.test(sentence));
    expect(said.map(({ level }) => level)).toEqual(["note"]);
    expect(said[0]?.sentence).toMatch(
      /^The service does not offer typing, .*history.*: the panel leaves out/,
    );
  });

  it("DOC2 a service with events takes no message without turns", async () => {
    const findings = await examine(await open(), {
      transport: answering("/capabilities", 200, { capabilities: ["events", "messages"] }),
    });
    expect(faults(findings)).toEqual([
      "The service offers events without turns, so customers can't send a message. Offer both, or neither.",
    ]);
    expect(findings.map(({ sentence }) => sentence).join("\n")).not.toContain("does not offer turns");
  });

  it("DOC2 a refusal for another reason does not show that a start asks for a credential", async () => {
    const findings = await examine(await open(), {
      transport: answering("/support/conversations", 400, {}, false),
    });
    expect(findings.filter(({ level }) => level === "note").map(({ sentence }) => sentence)).toEqual([
      "Start: refused with 400. That does not show that it asks for a credential.",
    ]);
  });

  it("DOC2 says that a conversation stays at a service that starts one for anybody", async () => {
    const findings = await examine(await open(), {
      transport: answering("/support/conversations", 201, { conversation: { id: "c1" } }, false),
    });
    expect(faults(findings)).toEqual([
      "Start: the service does it for a caller without a credential. The conversation that this started stays there.",
    ]);
  });

  it("DOC2 --conversation says which real calls it did not make", async () => {
    const unseen = async (transport: Look["transport"] & object) =>
      (await examine(await open(), { transport, withConversation: true }))
        .filter(({ level }) => level === "unseen")
        .map(({ sentence }) => sentence);
    expect(await unseen(answering("/support/conversations", 422, {}))).toEqual([
      "A real hand-off and a real end.",
    ]);
    const alone = { channel: "web", agentProvider: "a", reason: "x", ttlSeconds: 60 };
    expect(await unseen(answering("/support-selection", 200, alone))).toEqual([
      "A real hand-off: the selected route has no target for it.",
    ]);
  });

  it("a credential that is refused", async () => {
    const said = faults(await examine(await open(), { env: { APPLICATION_CREDENTIAL: "sk_of_yesterday" } }));
    expect(said).toEqual([
      expect.stringMatching(/^The service refuses the application credential \(401\)\. Check/),
    ]);
    expect(said.join("")).not.toContain("sk_of_yesterday");
  });

  it("a public key that is missing, and one that goes in another header", async () => {
    const mock = await open();
    expect(faults(await examine(mock, { env: { APPLICATION_PUBLIC_KEY: "" } }))).toEqual([
      expect.stringMatching(/no public key is sent\. Set APPLICATION_PUBLIC_KEY, and PUBLIC_KEY_HEADER/),
    ]);
    expect(faults(await examine(mock, { env: { PUBLIC_KEY_HEADER: "x-other" } }))).toEqual([
      expect.stringMatching(/with the public key in the header x-other\. Check/),
    ]);
  });

  it("an address where nothing listens", async () => {
    const mock = await open();
    await mock.close();
    closing.pop();
    const findings = await examine(mock);
    expect(faults(findings)).toEqual(["Nothing listens on the host and port of BASE_URL."]);
    expect(findings.at(-1)?.sentence).toBe("The endpoints of the service that come after this fault.");
  });

  it("a certificate that is not trusted, and https where plain http is spoken", async () => {
    const secure = await open({ kind: "full", tls: true });
    expect(faults(await examine(secure))).toEqual([
      expect.stringMatching(/^The certificate of BASE_URL is not trusted \([A-Z_]+\)\./),
    ]);
    const plain = await open();
    expect(faults(await examine(plain, { url: plain.url.replace("http:", "https:") }))).toEqual([
      expect.stringMatching(/^BASE_URL says https, but what listens there does not speak TLS/),
    ]);
    expect(faults(await examine(secure, { url: secure.url.replace("https:", "http:") }))).toEqual([
      expect.stringMatching(/BASE_URL must say https\.$/),
    ]);
  });

  it("a host that is not known", async () => {
    const failing = (real: Transport): Transport => ({
      ...real,
      call: () => Promise.reject(Object.assign(new Error("getaddrinfo"), { code: "ENOTFOUND" })),
    });
    expect(faults(await examine(await open(), { transport: failing }))).toEqual([
      "The host of BASE_URL is not known to DNS. Check its spelling.",
    ]);
  });

  it.each([
    ["redirect-302", /^BASE_URL answers with a redirect \(302\)/],
    ["status-503", /^The service at BASE_URL answers 503/],
  ] as const)("an address that gives %s", async (fault, sentence) => {
    const mock = await open();
    mock.setFault("capabilities", fault);
    expect(faults(await examine(mock))[0]).toMatch(sentence);
  });

  it.each([
    [95_000, /^This machine's clock is 9\d seconds ahead of the service's/],
    [-95_000, /^This machine's clock is 9\d seconds behind the service's/],
  ])("clocks that differ by %i ms", async (skew, sentence) => {
    expect(faults(await examine(await open(), { now: Date.now() + skew }))).toEqual([
      expect.stringMatching(sentence),
    ]);
  });

  it("clocks that differ by less, and a service that does not send its time, are not faults", async () => {
    const mock = await open();
    expect(faults(await examine(mock, { now: Date.now() + 20_000 }))).toEqual([]);
    const timeless = (real: Transport): Transport => ({
      ...real,
      call: async (request) => Object.assign(await real.call(request), { date: undefined }),
    });
    const findings = await examine(mock, { transport: timeless });
    expect(findings.find(({ sentence }) => /clocks/.test(sentence))?.level).toBe("note");
  });

  it.each([
    ["identify", "html-200", /^Customers can't be identified: its answer is not a verified result/],
    ["sessions", "object-200", /^No session can be opened: its answer is not a verified result/],
    ["capabilities", "object-200", /^What the service offers can't be read: its answer is not a verified/],
    ["supportSelection", "status-500", /^The route selection fails: it fails/],
  ] as const)("a service that breaks at %s by %s", async (endpoint, fault, sentence) => {
    const mock = await open();
    mock.setFault(endpoint, fault);
    expect(faults(await examine(mock))).toEqual([expect.stringMatching(sentence)]);
  });

  const KINDS = ["full", "seven", "provider-only"] as const;

  it.each(KINDS)("DOC2 leaves a customer and no conversation at %s", async (kind) => {
    const mock = await open({ kind });
    await examine(mock);
    expect(mock.conversations.size).toBe(0);
  });

  it.each(KINDS)("DOC2 --conversation starts, hands over and ends one at %s", async (kind) => {
    const mock = await open({ kind });
    const findings = await examine(mock, { withConversation: true });
    const said = findings.map(({ sentence }) => sentence).join("\n");
    expect(faults(findings)).toEqual([]);
    expect(said).toMatch(/Start: the service starts.*\nHand-off: the service asks.*\nEnd: the service ends/);
    expect(findings.map(({ level }) => level)).not.toContain("unseen");
    expect([...mock.conversations.values()]).toMatchObject([{ isEnded: true }]);
    const meant = /sent no session token|did not send the hand-off secret|conversation that was never issued/;
    expect(mock.violations.filter((one) => !meant.test(one))).toEqual([]);
  });

  it.each([
    ["conversations", "status-500", /^Start fails: it fails/],
    ["conversations", "status-404", /^Start: the service does not have this endpoint \(404\)/],
    ["conversations", "object-200", /^Start fails: its answer is not a verified result/],
    ["handoffs", "status-503", /^Hand-off fails: it fails/],
    ["handoffs", "html-200", /^Hand-off fails: its answer is not a verified result/],
    ["endConversation", "status-500", /^End fails: it fails/],
    ["endConversation", "no-content-204", /^End: the service does it for a caller without a credential/],
    ["endConversation", "redirect-302", /^End fails: its answer is not a verified result/],
  ] as const)("DOC2 a service whose %s breaks by %s", async (endpoint, fault, sentence) => {
    const mock = await open();
    mock.setFault(endpoint, fault);
    expect(faults(await examine(mock))).toEqual([expect.stringMatching(sentence)]);
  });

  it.each([
    ["conversations", "other-id", "accepted-202", /^Start fails: its answer is not a verified result/],
    ["handoffs", "other-id", "other-id", /^Hand-off fails: its answer is not a verified result \(echo\)/],
    ["endConversation", "object-200", "object-200", /^End fails: .* stays open\.$/],
  ] as const)(
    "DOC2 --conversation finds a service whose %s answers a customer by %s",
    async (endpoint, _, fault, sentence) => {
      const mock = await open();
      // Only for a caller with a session: without one, the answer is the right refusal.
      const lying = (real: Transport): Transport => ({
        ...real,
        async call(request) {
          const isProven = "authorization" in request.headers;
          if (isProven && !JSON.stringify([request.path, request.body]).includes("no_such"))
            mock.setFault(endpoint, fault);
          else await mock.clearFaults();
          return real.call(request);
        },
      });
      expect(faults(await examine(mock, { transport: lying }))).toEqual([]);
      const found = faults(await examine(mock, { transport: lying, withConversation: true }));
      expect(found).toEqual([expect.stringMatching(sentence)]);
    },
  );

  it("DOC2 a hand-off that is confirmed for a conversation that does not exist, or whose secret is refused", async () => {
    const lying =
      (status: number, body: string) =>
      (real: Transport): Transport => ({
        ...real,
        async call(request) {
          const isHandoff = request.path.endsWith("/handoffs") && "authorization" in request.headers;
          const answer = await real.call(request);
          if (!isHandoff) return answer;
          answer.discard();
          return Object.assign(answer, {
            status,
            mediaType: "application/json",
            read: async () => Buffer.from(body),
          });
        },
      });
    const mock = await open();
    const conversationId = "parley_doctor_no_such_conversation";
    const confirmed = JSON.stringify({ handoff: { id: "h1", conversationId, status: "requested" } });
    expect(faults(await examine(mock, { transport: lying(201, confirmed) }))).toEqual([
      "Hand-off: the service confirms one of a conversation that does not exist.",
    ]);
    expect(faults(await examine(mock, { transport: lying(401, "{}") }))).toEqual([
      "Hand-off: the service refuses our credential (401). Check HANDOFF_SECRET and HANDOFF_SECRET_HEADER, and AUTH_HANDOFFS.",
    ]);
  });

  it("DOC1 no sentence contains a secret or the service's own text", async () => {
    const mock = await open();
    mock.setFault("sessions", "status-401");
    const said = JSON.stringify(await examine(mock));
    for (const secret of Object.values(mock.secrets)) expect(said).not.toContain(secret);
  });
});
