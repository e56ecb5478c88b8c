import { DatabaseSync } from "node:sqlite";
import { afterEach, describe, expect, it, vi } from "vitest";
import * as operations from "../../shared/desk-operations.ts";
import type { CustomerTarget, DeskTarget } from "../store/desk.ts";
import type { Store } from "../store/store.ts";
import { openStage, type Stage, type StageOptions } from "../testing/authorisation-stage.ts";
import { CELLS, openDeskTable, type Played } from "./testing/desk-cells.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let stage: Stage | undefined;
async function open(options?: StageOptions) {
  const opened = await openStage(options);
  stage = opened;
  return { table: await openDeskTable(opened), store: opened.store };
}
afterEach(async () => {
  await stage?.close();
  stage = undefined;
});

const nameOf = ({ cell, status }: Played) =>
  `${cell.actor} · ${cell.action} · ${cell.object}: ${status}, not ${cell.expected}`;
const wrongOf = (played: readonly Played[]) =>
  played.filter(({ cell, status }) => status !== cell.expected).map(nameOf);

describe(`AUTH1 DESK7 the desk's table of ${CELLS.length} cells`, () => {
  it("has a row for every call that needs a session", () => {
    const formOf = (call: string) => call.replaceAll(/:\w+/g, ":id");
    const tried = new Set(CELLS.map(({ action }) => formOf(action)));
    const calls = Object.values(operations).flatMap((one) =>
      typeof one === "object" && one.access !== "anybody"
        ? [formOf(`${one.method} ${one.path.slice(1)}`)]
        : [],
    );
    expect(calls.length).toBeGreaterThan(20);
    expect(calls.filter((call) => !tried.has(call))).toEqual([]);
  });

  it("every cell gets the expected answer, and refused requests change nothing", async () => {
    expect(CELLS.length).toBeGreaterThanOrEqual(189);
    const { table, store } = await open();
    const state = async () => {
      const read = async (workspaceId: string, of: string) =>
        store.desk.readDeskConversation({ workspaceId, conversationId: table.kept[of] ?? "" });
      const people = await store.deskPeople.list(table.one.id);
      return [
        await Promise.all(["waiting", "taken", "ended"].map((of) => read(table.one.id, of))),
        await read(table.two.id, "elsewhere"),
        people.filter(({ id }) => id === table.kept["person"]),
      ];
    };
    const before = await state();
    const played: Played[] = [];
    for (const cell of CELLS) played.push(await table.play(cell));
    expect(wrongOf(played)).toEqual([]);
    expect(await state()).toEqual(before);
    // Foreign, missing and odd ids have one body, for conversations and for people.
    const notFound = played.filter(({ status, cell }) => status === 404 && cell.object !== "-");
    expect(notFound.length).toBeGreaterThan(200);
    expect(new Set(notFound.map(({ body }) => body)).size).toBe(1);
    const refused = played.filter(({ status }) => status >= 400);
    expect(refused.filter(({ body }) => /canary|@/.test(body)).map(nameOf)).toEqual([]);
  });

  it("without the workspace in the query, cells turn red (control)", async () => {
    const { table } = await open({ wrap: withoutWorkspace });
    const states = ["waiting", "taken", "ended", "elsewhere", "customer", "customer elsewhere"];
    const foreign = CELLS.filter(({ object, expected }) => states.includes(object) && expected === 404);
    const played: Played[] = [];
    for (const cell of foreign) played.push(await table.play(cell));
    // Two foreign people with three states, three of ours with the one elsewhere, for each of eleven actions; and the
    // same people with one customer each.
    expect(wrongOf(played)).toHaveLength(99 + 5);
  });

  it("without the role check, an agent's cells turn red (control)", async () => {
    const asAdmin = (store: Store): Store => ({
      ...store,
      deskAccounts: {
        ...store.deskAccounts,
        async findSession(hash) {
          const session = await store.deskAccounts.findSession(hash);
          return session && { ...session, user: { ...session.user, role: "admin" } };
        },
      },
    });
    const { table } = await open({ wrap: asAdmin });
    const played: Played[] = [];
    for (const cell of CELLS) {
      if (/^GET (users|audit)$/.test(cell.action)) played.push(await table.play(cell));
    }
    expect(wrongOf(played)).toHaveLength(6);
  });
});

/** The desk's store with `WHERE id = ?` only. */
function withoutWorkspace(store: Store, path: string): Store {
  const database = new DatabaseSync(path, { readOnly: true });
  const anywhere = (target: DeskTarget): DeskTarget => {
    const row = database
      .prepare("SELECT workspace_id FROM conversations WHERE id = ?")
      .get(target.conversationId);
    const found = row?.["workspace_id"];
    return typeof found === "string" ? { ...target, workspaceId: found } : target;
  };
  const anyCustomer = (target: CustomerTarget): CustomerTarget => {
    const row = database.prepare("SELECT workspace_id FROM customers WHERE id = ?").get(target.customerId);
    const found = row?.["workspace_id"];
    return typeof found === "string" ? { ...target, workspaceId: found } : target;
  };
  const { desk, attachments } = store;
  return {
    ...store,
    attachments: {
      ...attachments,
      openForDesk: (target, id) => attachments.openForDesk(anywhere(target), id),
      addForDesk: (target, person, file) => attachments.addForDesk(anywhere(target), person, file),
    },
    desk: {
      ...desk,
      readDeskConversation: (target, readerId) => desk.readDeskConversation(anywhere(target), readerId),
      listEarlier: (target, after, limit) => desk.listEarlier(anywhere(target), after, limit),
      readCustomer: (target, after, limit) => desk.readCustomer(anyCustomer(target), after, limit),
      acceptHandoff: (target, person) => desk.acceptHandoff(anywhere(target), person),
      replyAsHuman: (target, person, reply) => desk.replyAsHuman(anywhere(target), person, reply),
      takeConversation: (target, person) => desk.takeConversation(anywhere(target), person),
      reopenConversation: (target, person) => desk.reopenConversation(anywhere(target), person),
      describeCustomer: (target, person, change) => desk.describeCustomer(anywhere(target), person, change),
      returnToAgent: (target, person) => desk.returnToAgent(anywhere(target), person),
      markReadByHuman: (target, person, seq) => desk.markReadByHuman(anywhere(target), person, seq),
      resolveConversation: (target, person) => desk.resolveConversation(anywhere(target), person),
    },
  };
}
