import { render } from "preact";
import { afterEach, describe, expect, it, vi } from "vitest";
import { all, eventually, everything, nameOf, one } from "../testing/by-role.ts";
import { type Kit, openedKit, settled, until } from "../testing/desk-kit.ts";
import { ANA, at, message, waiting } from "../testing/samples.ts";
import { problem } from "../testing/scripted-service.ts";
import { DeskApp } from "./desk-app.tsx";

const FILES = [
  { id: "att_1", name: "photo.png", type: "image/png" as const, size: 3_400_000 },
  { id: "att_2", name: "<img src=x>.pdf", type: "application/pdf" as const, size: 900 },
];

async function show(): Promise<Kit> {
  const kit = await openedKit(ANA);
  document.body.innerHTML = "<div id='desk'></div>";
  const root = document.getElementById("desk");
  if (root) render(<DeskApp desk={kit.desk} />, root);
  await settled();
  return kit;
}
afterEach(() => {
  vi.unstubAllGlobals();
  const root = document.getElementById("desk");
  if (root) render(null, root);
});
const event = (conversationId: string, inner: object) =>
  ({ type: "conversation.event", conversationId, event: inner }) as never;

describe("files, ratings and erasure at the desk", () => {
  it("ATT4 a picture is loaded from the desk's own address, a PDF is a link, and both can only be saved", async () => {
    const kit = await show();
    const { lastSeq } = waiting();
    kit.service.push(
      event(ANA, {
        type: "message.created",
        seq: lastSeq + 1,
        at: at(9),
        message: message(lastSeq + 1, "customer", "", { attachments: FILES }),
      }),
    );
    await until(() => everything().includes("photo.png"));
    const links = [...document.querySelectorAll<HTMLAnchorElement>("a.file")];
    expect(links.map((link) => [link.getAttribute("href"), link.download])).toEqual(
      FILES.map(({ id, name }) => [`/desk/api/conversations/${ANA}/attachments/${id}`, name]),
    );
    expect(links[0]?.textContent).toContain("3.4 MB");
    const images = [...document.querySelectorAll("a.file img")].map((image) => image.getAttribute("src"));
    expect(images).toEqual([links[0]?.getAttribute("href")]);
  });

  it("DESK10 a reader at the end of the log stays there when a picture loads late, one who reads above is not moved", async () => {
    let grow: () => void = () => expect.fail("nobody watches the log grow");
    class Observer {
      constructor(run: () => void) {
        grow = run;
      }
      observe = () => undefined;
      disconnect = () => undefined;
    }
    vi.stubGlobal("ResizeObserver", Observer);
    await show();
    const log = document.querySelector<HTMLElement>("[role=log]");
    if (!log) throw new Error("no log");
    Object.defineProperty(log, "scrollHeight", { value: 900 });
    Object.defineProperty(log, "clientHeight", { value: 300 });
    grow();
    expect(log.scrollTop).toBe(900);
    log.scrollTop = 100;
    log.dispatchEvent(new Event("scroll"));
    grow();
    expect(log.scrollTop).toBe(100);
  });

  it("RATE1 the rating is shown where it was given, with its comment as text", async () => {
    const kit = await show();
    const seq = waiting().lastSeq + 1;
    const rating = { score: "down", comment: "<b>Too slow</b>" };
    kit.service.push(event(ANA, { type: "conversation.rated", seq, at: at(9), rating }));
    await until(() => everything().includes("not helpful"));
    expect(everything()).toContain("<b>Too slow</b>");
  });

  it("ERASE1 an erased conversation leaves the screen at once, and the desk says so", async () => {
    const kit = await show();
    kit.service.push(event(ANA, { type: "conversation.erased" }));
    await until(() => everything().includes("This conversation was deleted."));
    expect(kit.board.board.value.queue).toEqual([]);
    expect(document.querySelector("[role=log]")).toBeNull();
    expect(document.querySelector("main")?.textContent).not.toContain("Try again");
    expect(all("heading", /Loading/)).toEqual([]);
    one("heading", "Conversation");
  });

  it("ERASE1 a conversation that was erased while the desk was disconnected leaves the screen", async () => {
    const kit = await show();
    kit.service.state.conversations = [];
    kit.service.breakLines();
    await until(() => kit.board.connection.value === "waiting");
    kit.timers.advance(60_000);
    await until(() => everything().includes("This conversation was deleted."));
    expect(everything()).not.toContain("My lamp is broken");
    expect(kit.board.said.value.filter(({ text }) => text === "The conversation was deleted")).toHaveLength(
      1,
    );
  });

  it("DESK23 the address of a conversation that no longer exists shows no heading that says it is loading", async () => {
    const kit = await show();
    const { promise: held, resolve: answer } = Promise.withResolvers<Response>();
    kit.service.script("GET /conversations/cnv_gone", () => held);
    kit.desk.follow("#conversation=cnv_gone");
    await eventually("heading", "Loading the conversation…");
    answer(problem("not_found"));
    await eventually("heading", "Conversation");
    expect(everything()).toContain("This conversation no longer exists.");
  });

  it("DESK11 a row is marked as new until this person has seen the conversation", async () => {
    const kit = await show();
    const row = () => one("button", /Ana Ruiz/);
    expect(nameOf(row())).toContain("New");
    kit.presence.isPresent = true;
    kit.board.look();
    await until(() => !nameOf(row()).includes("New"));
  });

  it("SEEN1 nothing counts as seen while nobody looks; what was seen is reported once, up to the customer's last message", async () => {
    const kit = await show();
    const route = `POST /conversations/${ANA}/read`;
    kit.board.look();
    await settled();
    expect(kit.service.callsOf(route)).toEqual([]);
    kit.presence.isPresent = true;
    kit.board.look();
    await until(() => (kit.board.board.value.opened?.seenSeq ?? 0) > 0);
    kit.board.look();
    await settled();
    const last = waiting().messages.findLast(({ role }) => role === "customer")?.seq;
    expect(kit.service.callsOf(route).map(({ body }) => body)).toEqual([{ seq: last }]);
  });
});
