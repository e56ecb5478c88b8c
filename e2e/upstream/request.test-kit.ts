import fc from "fast-check";
import { PAGE_ORIGIN } from "./door.test-kit.ts";

/** One generated request; headers and methods that HTTP's grammar forbids are never generated. */
export interface Generated {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}

/** A placeholder for the bearer token of a session that is live when the request is made. */
export const LIVE_TOKEN = "Bearer LIVE";

const ROUTES = [
  "/api/config",
  "/api/session",
  "/api/conversation",
  "/api/conversation/messages",
  "/api/conversation/events",
  "/api/conversation/handoff",
  "/api/conversation/summary",
  "/api/conversation/actions",
  "/api/conversation/attachments",
  "/api/conversation/rating",
  "/api/conversation/feedback",
  "/api/conversation/contact",
  "/api/conversation/read",
  "/api/conversation/typing",
  "/api/conversation/content",
] as const;

/** Everything but visible ASCII is percent-encoded. */
const segment = fc
  .string({ unit: "binary", maxLength: 12 })
  .map((text) => encodeURIComponent(text.toWellFormed()));
const path = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...ROUTES) },
  { weight: 1, arbitrary: fc.constantFrom("/livez", "/readyz", "/widget.js", "/frame", "/assets/x.js", "/") },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom(...ROUTES), segment).map(([route, tail]) => `${route}/${tail}`),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...ROUTES), segment, segment)
      .map(([route, a, b]) => `${route}?${a}=${b}`),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "/api/../v1/customers/identify",
      "/api//session",
      "/api/session/",
      "/api/%2e%2e/%2e%2e/etc/passwd",
      "/api/conversation%2Fmessages",
      "/API/session",
      "/api/conversation/messages;x=1",
      "/api/conversation/%00",
      "/api/conversation/%E0%A4%A",
      "/v1/support/conversations",
      "/desk",
    ),
  },
  { weight: 1, arbitrary: fc.array(segment, { maxLength: 4 }).map((parts) => `/api/${parts.join("/")}`) },
);

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.constantFrom("", " ", "Hello", "\u0000", "\ud800", "a\nb", "<script>", "\u202e", "😀".repeat(40)),
  fc.constantFrom(5000, 5001, 40_000).map((length) => "x".repeat(length)),
);
const key = fc.oneof(
  fc.uuid(),
  fc.constantFrom("", ".", "..", "../x", "a/b", "a%2fb", "x".repeat(128), "x".repeat(129), "cm-1"),
  fc.string({ maxLength: 20 }),
);

/** Values close enough to valid ones that some of them get through. */
const nearlyRight = fc.oneof(
  fc.record({ clientMessageId: key, body: text }),
  fc.record({ clientMessageId: fc.uuid(), body: fc.constantFrom("Hello", "How long?", "#error now") }),
  fc.record({ reason: text, summary: text }, { requiredKeys: [] }),
  fc.record(
    {
      locale: fc.oneof(fc.constantFrom("en", "de-CH", "xx-", "*"), fc.string({ maxLength: 40 })),
      page: fc.oneof(
        fc.record({ url: fc.oneof(fc.webUrl(), text) }),
        fc.record({ url: fc.webUrl(), title: text, referrer: text }),
      ),
      traits: fc.dictionary(
        fc.string({ maxLength: 70 }),
        fc.oneof(text, fc.double(), fc.boolean(), fc.constant(null)),
        {
          maxKeys: 60,
        },
      ),
      token: text,
    },
    { requiredKeys: [] },
  ),
  fc.constant({}),
);

const encoder = new TextEncoder();
const json = (value: unknown) => encoder.encode(JSON.stringify(value) ?? "");
const body = fc.oneof(
  { weight: 8, arbitrary: nearlyRight.map(json) },
  { weight: 2, arbitrary: fc.json({ maxDepth: 6 }).map((value) => encoder.encode(value)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(17, 5000, 16_000)
      .map((depth) => encoder.encode("[".repeat(depth) + "]".repeat(depth))),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(
        '{"__proto__":{"a":1}}',
        '{"constructor":{"prototype":{"a":1}}}',
        '{"body":"a","body":"b"}',
        '{"a":1e999}',
        '{"a":9007199254740993}',
        "\ufeff{}",
        '{"clientMessageId":"a","body":"\\ud800"}',
        "{} {}",
        "null",
        `{"body":"${"x".repeat(40_000)}"}`,
      )
      .map((value) => encoder.encode(value)),
  },
);

/** Printable ASCII: all that a header may contain. */
const headerText = fc
  .array(fc.integer({ min: 0x20, max: 0x7e }), { maxLength: 40 })
  .map((codes) => String.fromCharCode(...codes).trim());
const oneOf = (...values: string[]) => fc.oneof(fc.constantFrom(...values), headerText);

const headers = fc.record(
  {
    origin: fc.oneof(
      { weight: 12, arbitrary: fc.constant(PAGE_ORIGIN) },
      { weight: 2, arbitrary: oneOf("null", "https://evil.example", `${PAGE_ORIGIN}.evil.example`, "") },
    ),
    authorization: fc.oneof(
      { weight: 10, arbitrary: fc.constant(LIVE_TOKEN) },
      {
        weight: 2,
        arbitrary: oneOf("Bearer", "Bearer x", `Bearer ${"A".repeat(43)}`, "Basic YTpi", "bearer LIVE"),
      },
    ),
    "content-type": fc.oneof(
      { weight: 10, arbitrary: fc.constant("application/json") },
      {
        weight: 2,
        arbitrary: oneOf("text/plain", "application/json; charset=utf-8", "multipart/form-data", ""),
      },
    ),
    "content-encoding": fc.constantFrom("gzip", "identity", "br"),
    "content-length": fc.constantFrom("0", "5", "40000", "-1", "abc", "99999999999999999999"),
    "sec-fetch-site": oneOf("same-origin", "cross-site", "none"),
    "last-event-id": oneOf(
      "",
      "abc",
      "-1",
      "1e99",
      "epoch:1",
      "epoch:99999999999999999999",
      "x".repeat(10_000),
    ),
    "accept-language": oneOf("de", "*", "en-US,en;q=0.5"),
    "x-forwarded-for": oneOf("1.2.3.4", "::1", "0177.0.0.1", "a,b,c"),
    "x-forwarded-host": headerText,
    cookie: headerText,
    "idempotency-key": headerText,
    host: fc.constantFrom("localhost", "evil.example", "127.0.0.1:80"),
  },
  { requiredKeys: [] },
);

/** Mostly complete headers, so that many requests get past the gate; the others omit any of them. */
const complete = headers.map((some) => {
  const { "content-length": _, "content-encoding": __, ...rest } = some;
  return { origin: PAGE_ORIGIN, authorization: LIVE_TOKEN, "content-type": "application/json", ...rest };
});

/** The headers of our own page, with or without a session. */
const exact = fc.constantFrom<Record<string, string>>(
  { origin: PAGE_ORIGIN, authorization: LIVE_TOKEN, "content-type": "application/json" },
  { origin: PAGE_ORIGIN, "content-type": "application/json" },
);

const method = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom("POST", "POST", "GET", "DELETE") },
  { weight: 1, arbitrary: fc.constantFrom("PUT", "PATCH", "OPTIONS", "HEAD", "PROPFIND", "get") },
);

const wild: fc.Arbitrary<Generated> = fc
  .record({
    method,
    path,
    headers: fc.oneof(headers, complete, complete),
    body: fc.option(body, { nil: undefined }),
  })
  .map(({ body: bytes, ...rest }) => ({
    ...rest,
    body: /^(get|head)$/i.test(rest.method) ? undefined : bytes,
  }));

const outgoing = fc.record({
  clientMessageId: fc.oneof(fc.uuid(), fc.constantFrom("cm-1", "cm-2")),
  body: fc.oneof(fc.constantFrom("Hello", "How long?"), text),
});
/** Each operation with what it requires: these get through unless another generated part prevents it. */
const OPERATIONS = [
  ["POST", "/api/session", fc.constantFrom({}, { locale: "de" }, { traits: { plan: "pro" } })],
  ["POST", "/api/conversation", outgoing],
  ["POST", "/api/conversation/messages", outgoing],
  ["POST", "/api/conversation/handoff", fc.record({ reason: text }, { requiredKeys: [] })],
  [
    "POST",
    "/api/conversation/actions",
    fc.record({ actionId: fc.constantFrom("act_1", "other"), approved: fc.boolean() }),
  ],
  ["GET", "/api/conversation/summary", undefined],
  ["POST", "/api/conversation/summary", fc.record({ handoffId: fc.constantFrom("hand_1", "../x"), text })],
  ["GET", "/api/conversation/events", undefined],
  ["GET", "/api/config", undefined],
  [
    "POST",
    "/api/conversation/rating",
    fc.record({ score: fc.constantFrom("up", "down", "x"), comment: text }, { requiredKeys: ["score"] }),
  ],
  [
    "POST",
    "/api/conversation/feedback",
    fc.record({ messageId: fc.oneof(fc.constant("msg_1"), key), score: fc.constantFrom("up", null, "x") }),
  ],
  [
    "POST",
    "/api/conversation/contact",
    fc.record({
      email: fc.oneof(fc.emailAddress(), fc.constantFrom(null, "a@b.c\r\nbcc: x@y.z", "<a@b.c>"), text),
    }),
  ],
  ["POST", "/api/conversation/read", fc.record({ seq: fc.oneof(fc.integer(), fc.constant(1)) })],
  ["POST", "/api/conversation/typing", fc.constantFrom({}, { role: "human" })],
  ["GET", "/api/conversation/attachments/att_1", undefined],
  ["DELETE", "/api/conversation/content", undefined],
  ["DELETE", "/api/conversation", undefined],
  ["DELETE", "/api/session", undefined],
] as const;

const tame: fc.Arbitrary<Generated> = fc.oneof(
  ...OPERATIONS.map(([name, address, wanted]) =>
    fc.record({
      method: fc.constant(name),
      path: fc.constant(address),
      headers: fc.oneof({ weight: 3, arbitrary: exact }, { weight: 1, arbitrary: complete }),
      body: wanted ? wanted.map(json) : fc.constant(undefined),
    }),
  ),
);

/** Any request to any path of the BFF, half of them close to what it requires. */
export const anyRequest: fc.Arbitrary<Generated> = fc.oneof(tame, wild);
