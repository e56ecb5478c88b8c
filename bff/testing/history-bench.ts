import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { startEmbeddedService } from "../../service/embedded.ts";
import { createFakeService, json } from "../../service/testing/fake/fake-service.ts";
import { listConversations, searchConversations } from "../../shared/api/history.ts";
import type { SessionState } from "../../shared/api/session.ts";
import { createTestSite } from "../identity/testing/site-keys.ts";
import { createTestBff, type TestBff } from "./test-bff.ts";

const quiet = () => undefined;
const LOG = { debug: quiet, info: quiet, warn: quiet, error: quiet };

export async function openWhole() {
  const dataDir = mkdtempSync(join(tmpdir(), "parley-history-"));
  const service = await startEmbeddedService({ dataDir, env: {}, log: LOG });
  const { credential, publicKey, app } = service;
  const site = createTestSite(() => Date.now());
  const bff = createTestBff({
    service: app,
    env: {
      APPLICATION_CREDENTIAL: credential,
      APPLICATION_PUBLIC_KEY: publicKey,
      IDENTITY_KEYS: site.keySet,
    },
  });
  onTestFinished(async () => {
    bff.bff.drain();
    await service.close();
    await bff.bff.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const enter = async (sub?: string) => {
    const body = sub === undefined ? {} : { token: site.token({ claims: { sub } }) };
    return ((await (await bff.post("/api/session", body)).json()) as SessionState).token;
  };
  return { bff, enter, site };
}

/** Has a conversation with one message, and ends it. */
export async function talk(bff: TestBff, token: string, body: string) {
  const key = `k-${body.replaceAll(" ", "-")}`;
  expect((await bff.post("/api/conversation", { clientMessageId: key, body }, token)).status).toBe(201);
  expect((await bff.request("DELETE", "/api/conversation", { token })).status).toBe(200);
}

export async function list(bff: TestBff, token: string, query = "") {
  const answer = await bff.request("GET", `/api/conversations${query}`, { token });
  expect(answer.status).toBe(200);
  return listConversations.answer.parse(await answer.json());
}

export const read = (bff: TestBff, token: string, reference: string) =>
  bff.request("GET", `/api/conversations/messages?of=${encodeURIComponent(reference)}`, { token });

export async function search(bff: TestBff, token: string, text: string) {
  const answer = await bff.post("/api/conversations/search", { text }, token);
  expect(answer.status).toBe(200);
  return searchConversations.answer.parse(await answer.json()).conversations;
}

export const chooseAt = (bff: TestBff, token: string, of: string) =>
  bff.post("/api/conversations/current", { of }, token);
export const stateOf = async (bff: TestBff, token: string) =>
  (await (await bff.post("/api/session", {}, token)).json()) as SessionState;
export const say = (bff: TestBff, token: string, body: string) =>
  bff.post("/api/conversation", { clientMessageId: `k-${body.replaceAll(" ", "-")}`, body }, token);

export function openFake(capabilities?: readonly string[]) {
  const service = createFakeService();
  if (capabilities) service.answer("capabilities", () => json({ capabilities }));
  return { service, bff: createTestBff({ service }) };
}
