import { describe, expect, it } from "vitest";
import { CSRF_HEADER } from "../../shared/desk.ts";
import { Failure } from "../../shared/errors.ts";
import { REQUEST_TIMEOUT_MS } from "./desk-calls.ts";
import { createDeskClient } from "./desk-client.ts";
import { ANA, message, SAM, waiting } from "./testing/samples.ts";
import { createScriptedService, FAULTS, json, problem } from "./testing/scripted-service.ts";

function setUp() {
  const service = createScriptedService();
  const waits: number[] = [];
  const client = createDeskClient({
    upload: () => Promise.reject(new Error("not asked for")),
    fetch: service.fetch,
    timeout(ms) {
      waits.push(ms);
      return new AbortController().signal;
    },
  });
  return { service, client, waits };
}

const reply = { clientMessageId: "reply_1", body: "Hi" };
const of = (action: string) => `POST /conversations/${ANA}/${action}`;

async function failureOf(call: Promise<unknown>): Promise<Failure> {
  const failure = await call.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (failure instanceof Failure) return failure;
  throw new Error("The call was taken for a success.");
}

describe("works", () => {
  it("carries the session's CSRF token on every change, and none before there is one", async () => {
    const { service, client } = setUp();
    await client.signIn({ email: SAM.email, password: "a long enough one" });
    await client.take(ANA);
    expect(service.callsOf("POST /login")[0]?.headers.get(CSRF_HEADER)).toBe("");
    expect(service.callsOf(of("take"))[0]?.headers.get(CSRF_HEADER)).toBe("csrf_1");
    expect(service.callsOf(of("take"))[0]?.headers.get("content-type")).toBe("application/json");
  });

  it("returns each verified answer, with a limit of ten seconds", async () => {
    const { client, waits } = setUp();
    expect((await client.session()).user.id).toBe(SAM.id);
    expect((await client.queue()).conversations.map(({ id }) => id)).toEqual([ANA]);
    expect((await client.read(ANA)).customer.displayName).toBe("Ana Ruiz");
    expect((await client.take(ANA)).handoff.status).toBe("accepted");
    expect((await client.reply(ANA, reply)).clientMessageId).toBe("reply_1");
    expect((await client.giveBack(ANA)).handoff.status).toBe("returned");
    await client.resolve(ANA);
    await client.signOut();
    expect(new Set(waits)).toEqual(new Set([REQUEST_TIMEOUT_MS]));
  });

  it("a call with a password may take 30 seconds, because the service may check other passwords first", async () => {
    const { client, waits } = setUp();
    const password = "a long enough one";
    await client.setUp({ token: "tok", email: SAM.email, name: SAM.name, password });
    await client.join({ token: "tok", password });
    await client.signIn({ email: SAM.email, password });
    await client.changePassword({ password, newPassword: "seven quiet harbour stones" });
    expect(waits).toEqual([30_000, 30_000, 30_000, 30_000]);
  });

  it("signing out succeeds when the service confirms it, or says that nobody is signed in", async () => {
    const { service, client } = setUp();
    service.script("POST /logout", () => problem("session_expired"));
    await client.signOut();
    service.script("POST /logout", () => problem("internal"));
    expect((await failureOf(client.signOut())).code).toBe("internal");
  });
});

describe("accepts nothing else", () => {
  const calls = {
    take: (client: ReturnType<typeof createDeskClient>) => client.take(ANA),
    messages: (client: ReturnType<typeof createDeskClient>) => client.reply(ANA, reply),
    return: (client: ReturnType<typeof createDeskClient>) => client.giveBack(ANA),
    resolve: (client: ReturnType<typeof createDeskClient>) => client.resolve(ANA),
  };
  for (const [action, call] of Object.entries(calls)) {
    for (const [name, fault] of Object.entries(FAULTS)) {
      it(`${action}: ${name} is a failure`, async () => {
        const { service, client } = setUp();
        service.script(of(action), fault);
        await failureOf(call(client));
      });
    }
  }

  it("an answer that matches its schema but is about something else is not confirmed", async () => {
    const { service, client } = setUp();
    const wrong: [string, unknown, () => Promise<unknown>][] = [
      [of("take"), { handoff: { id: "h", status: "requested" } }, () => client.take(ANA)],
      [of("return"), { handoff: { id: "h", status: "accepted" } }, () => client.giveBack(ANA)],
      [of("resolve"), { conversation: { id: "cnv_x", status: "ended" } }, () => client.resolve(ANA)],
      [of("resolve"), { conversation: { id: ANA, status: "open" } }, () => client.resolve(ANA)],
      [of("messages"), { message: message(4, "human", "Hi") }, () => client.reply(ANA, reply)],
      [
        of("messages"),
        { message: message(4, "human", "Hi", { clientMessageId: "reply_2" }) },
        () => client.reply(ANA, reply),
      ],
      [
        of("messages"),
        { message: message(4, "customer", "Hi", { clientMessageId: "reply_1" }) },
        () => client.reply(ANA, reply),
      ],
      [`GET /conversations/${ANA}`, waiting({ id: "cnv_x" }), () => client.read(ANA)],
    ];
    for (const [route, body, call] of wrong) {
      service.script(route, () => json(body));
      expect((await failureOf(call())).code).toBe("not_confirmed");
    }
  });

  it("distinguishes the kinds of doubt", async () => {
    const { service, client } = setUp();
    const codeAfter = async (fault: keyof typeof FAULTS) => {
      service.script("GET /conversations", FAULTS[fault] ?? (() => json({})));
      return (await failureOf(client.queue())).code;
    };
    expect(await codeAfter("200 HTML")).toBe("not_confirmed");
    expect(await codeAfter("500 text")).toBe("support_refused");
    expect(await codeAfter("503 problem")).toBe("unavailable");
    expect(await codeAfter("a broken line")).toBe("support_unreachable");
    expect(await codeAfter("no answer in time")).toBe("support_timeout");
    service.script(
      "GET /conversations",
      () => new Response("slow down", { status: 429, headers: { "retry-after": "7" } }),
    );
    expect(await failureOf(client.queue())).toMatchObject({ code: "rate_limited", retryAfter: 7 });
  });
});
