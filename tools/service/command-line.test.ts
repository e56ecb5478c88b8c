import { readFileSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { findWorkspaceByCredential } from "../../service/auth/credential.ts";
import { sha256 } from "../../service/ids.ts";
import { openSqliteStore } from "../../service/store/sqlite/sqlite-store.ts";
import { createScriptedAgent } from "../../service/testing/agents.ts";
import { readEventStream } from "../../service/testing/event-reader.ts";
import { openTestService, type TestService } from "../../service/testing/test-service.ts";
import { systemRandom } from "../../shared/server/random.ts";
import { runCommand } from "./command-line.ts";

async function run(t: Pick<TestService, "store">, ...args: string[]): Promise<string> {
  const lines: string[] = [];
  await runCommand(args, { store: t.store, random: systemRandom, print: (line) => void lines.push(line) });
  return lines.join("\n");
}

describe("the command line works", () => {
  test("a new workspace comes with its first credential, which is shown only now", async () => {
    const t = await openTestService();
    const made = JSON.parse(await run(t, "workspace", "create", "acme", "--json"));
    expect(made).toEqual({
      workspaceId: expect.stringMatching(/^ws_/),
      publicKey: expect.stringMatching(/^parley_pk_/),
      credential: expect.stringMatching(/^parley_sk_[\w-]{43}$/),
      credentialId: expect.stringMatching(/^cred_/),
    });
    expect((await findWorkspaceByCredential(t.store, made.credential))?.id).toBe(made.workspaceId);
    const listed = await run(t, "workspace", "list");
    expect(listed).toContain("acme");
    expect(listed).toContain(made.credentialId);
    expect(listed).not.toContain(made.credential);
  });

  test("a rotation issues another credential, and the one in use stays valid", async () => {
    const t = await openTestService();
    const made = JSON.parse(await run(t, "credential", "rotate", "--workspace", t.workspace.id, "--json"));
    for (const credential of [made.credential, t.workspace.credential]) {
      expect(await findWorkspaceByCredential(t.store, credential)).toBeDefined();
    }
  });

  test("a rotation that names the old one ends it at once", async () => {
    const t = await openTestService();
    const [old] = await t.store.credentials.list(t.workspace.id);
    await run(t, "credential", "rotate", "--workspace", t.workspace.id, "--id", old?.id ?? "");
    expect(await findWorkspaceByCredential(t.store, t.workspace.credential)).toBeUndefined();
  });

  test("a rotation says which credential it ended", async () => {
    const t = await openTestService();
    const [old] = await t.store.credentials.list(t.workspace.id);
    const rotate = (...options: string[]) =>
      run(t, "credential", "rotate", "--workspace", t.workspace.id, ...options);
    t.clock.advance(1000);
    const first = JSON.parse(await rotate("--json"));
    expect(first.ended).toEqual([]);
    t.clock.advance(1000);
    expect(await rotate()).toMatch(new RegExp(`^ended +${old?.id}$`, "m"));
    t.clock.advance(1000);
    expect(JSON.parse(await rotate("--json")).ended).toEqual([first.credentialId]);
  });

  test("a link for a desk admin who can't sign in revokes the password, and is in the audit log", async () => {
    const t = await openTestService();
    const { id: workspaceId } = t.workspace;
    const account = { workspaceId, email: "ada@shop.example", name: "Ada", role: "admin" as const };
    const { id } = await t.store.deskAccounts.addUser({ ...account, passwordHash: "scrypt$" });
    const said = JSON.parse(
      await run(t, "desk", "link", "Ada@shop.example", "--workspace", workspaceId, "--json"),
    );
    expect(said).toEqual({ userId: id, path: expect.stringMatching(/^\/desk#setup=[\w-]{43}$/) });
    const user = await t.store.deskAccounts.findUserByEmail(workspaceId, "ada@shop.example");
    expect(user?.passwordHash).toBeUndefined();
    const found = await t.store.deskPeople.findLink(sha256(said.path.split("=")[1]));
    expect(found).toMatchObject({ purpose: "reset", user: { id } });
    const [entry] = await t.store.deskPeople.readAudit(workspaceId, undefined, 1);
    expect(entry).toMatchObject({ action: "desk.link_by_operator", by: undefined, target: id });
    await expect(run(t, "desk", "link", "eve@shop.example", "--workspace", workspaceId)).rejects.toThrow(
      "No account at this desk has this e-mail address.",
    );
  });

  test("a revoked credential stops working at once, while the service runs", async () => {
    const t = await openTestService();
    const [old] = await t.store.credentials.list(t.workspace.id);
    const said = await run(t, "credential", "revoke", "--workspace", t.workspace.id, "--id", old?.id ?? "");
    expect(said).toBe(`Revoked ${old?.id}.`);
    expect(await findWorkspaceByCredential(t.store, t.workspace.credential)).toBeUndefined();
  });
});

describe("the command line refuses, with a sentence", () => {
  test.each([
    [["frob"], "Unknown command."],
    [["workspace"], "Unknown command."],
    [["workspace", "list", "x", "y"], "Unknown command."],
    [["workspace", "list", "acme"], "workspace list takes no argument acme."],
    [["credential", "rotate", "cred_1", "--workspace", "ID"], "rotate takes no argument cred_1."],
    [["workspace", "create"], "A workspace needs a name"],
    [["workspace", "create", "one"], "A workspace with this name already exists."],
    [["workspace", "list", "--frob"], "Unknown option '--frob'"],
    [["credential", "create"], "Name the workspace with --workspace."],
    [["credential", "create", "--workspace", "ws_none"], "There is no workspace ws_none."],
    [["credential", "revoke", "--workspace", "ID"], "Name the credential with --id."],
    [
      ["credential", "revoke", "--workspace", "ID", "--id", "cred_none"],
      "has no valid credential cred_none.",
    ],
  ])("%j", async (args, sentence) => {
    const t = await openTestService();
    const given = args.map((arg) => (arg === "ID" ? t.workspace.id : arg));
    await expect(run(t, ...given)).rejects.toThrow(sentence);
  });

  test("a third live credential", async () => {
    const t = await openTestService();
    await run(t, "credential", "create", "--workspace", t.workspace.id);
    await expect(run(t, "credential", "create", "--workspace", t.workspace.id)).rejects.toThrow(
      "revoke one first",
    );
  });
});

describe("the command line exports and erases a customer", () => {
  test("STORE8 an export is JSON with what was said, and by which agent", async () => {
    const agent = createScriptedAgent(async function* () {
      yield { type: "delta", text: "It is on its way." };
    });
    const t = await openTestService({ agents: [agent] });
    const customer = await t.customer("ann");
    await customer.say(await customer.start(), "Where is my parcel?");
    await t.service.settled();
    const exported = await run(
      t,
      "customer",
      "export",
      "--workspace",
      t.workspace.id,
      "--external-id",
      "ann",
    );
    expect(JSON.parse(exported)).toMatchObject({ customer: { externalId: "ann" } });
    expect(exported).toContain("Where is my parcel?");
    expect(exported).toMatch(/"generated": \{\s+"by": "knowledge"\s+\}/);
  });

  test("STORE6 an erasure while the service runs removes the customer's session and messages", async () => {
    const t = await openTestService();
    const customer = await t.customer("ann");
    const id = await customer.start();
    await customer.say(id, "Where is my parcel?");
    const said = await run(t, "customer", "erase", "--workspace", t.workspace.id, "--external-id", "ann");
    expect(said).toContain("Erased the customer and 1 conversation. The database was rewritten");
    expect(said).toContain("Not erased: earlier backups, former databases (.replaced, .restoring), and");
    expect((await customer.get(`/v1/support/conversations/${id}/messages`)).status).toBe(404);
    expect((await customer.post("/v1/support/conversations", {})).status).toBe(401);
    expect(readFileSync(t.path, "latin1")).not.toContain("parcel");
    await expect(
      run(t, "customer", "erase", "--workspace", t.workspace.id, "--external-id", "ann"),
    ).rejects.toThrow("There is no customer with this external id.");
    await expect(run(t, "customer", "erase", "--workspace", t.workspace.id)).rejects.toThrow("--external-id");
  });

  test("STORE6 a running service notices an erasure by another process within 5 seconds", async () => {
    const t = await openTestService();
    const customer = await t.customer("ann");
    const [first, second] = [await customer.start(), await customer.start()];
    const atDesk: string[] = [];
    t.hub.subscribeWorkspace(t.workspace.id, ({ conversationId, event }) => {
      if (event.type === "conversation.erased") atDesk.push(conversationId);
    });
    const panel = readEventStream(await customer.get(`/v1/support/conversations/${first}/events`)).toEnd();
    const store = openSqliteStore({
      path: t.path,
      clock: t.clock,
      random: systemRandom,
      publish: () => undefined,
    });
    onTestFinished(() => store.close());
    await run({ store }, "customer", "erase", "--workspace", t.workspace.id, "--external-id", "ann");
    t.clock.advance(5000);
    expect((await panel).at(-1)?.event).toEqual({ type: "conversation.erased" });
    expect(atDesk.toSorted()).toEqual([first, second].toSorted());
    // The same erasure is published once, although others write again.
    await run({ store }, "workspace", "create", "other");
    t.clock.advance(5000);
    expect(atDesk).toHaveLength(2);
  });
});
