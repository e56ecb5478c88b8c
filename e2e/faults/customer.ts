import { Agent, fetch as undiciFetch } from "undici";
import type { Message } from "../../shared/message.ts";
import { Chat } from "../../widget/app/chat.ts";
import { createConversationStream } from "../../widget/app/conversation-stream.ts";
import type { Environment, Tabs } from "../../widget/app/environment.ts";
import type { BrowserStorage } from "../../widget/client/browser-storage.ts";
import type { SeededRandom } from "./random.ts";

/**
 * The customer's time runs faster than the machine's, so that long waits take seconds. On a busy machine, each request
 * that timed out slows it down, at most to the machine's own speed.
 */
const SPEED = 5;
const SLOWER = 1.5;

/** A person with a panel: the real model, the real network, no browser. */
export interface Customer {
  readonly name: string;
  readonly chat: Chat;
  /** Writes one unique message. Returns its text. */
  readonly write: () => string;
  /** Everything written so far. */
  readonly written: readonly string[];
  /** Keys of messages that the panel called sent. */
  readonly told: ReadonlySet<string>;
  /** Those of them that nothing had verifiably confirmed at that moment. */
  readonly falselyTold: readonly string[];
  /** The entries on the screen, in order; none while it is covered, because somebody else may be there. */
  readonly screen: () => readonly Message[];
  /** Retries what is not confirmed. */
  readonly retryAll: () => void;
  /**
   * How often the customer pressed Retry on a text that had been sent. It is in doubt again if its conversation seems lost.
   * The next conversation can't know what the former has, so both have it then.
   */
  readonly retriesAfterSent: (body: string) => number;
  /** Closes the panel and every connection. */
  readonly leave: () => Promise<void>;
}

export interface CustomerOptions {
  readonly name: string;
  /** The address of the BFF. */
  readonly url: string;
  /** The origin that a browser would send; by default `url`. */
  readonly origin?: string;
  /** A marker that every text contains, evaluated when it is written. */
  readonly mark?: () => string;
  readonly random: SeededRandom;
  /** The storage of this customer's last page. */
  readonly storage?: BrowserStorage;
  /** The panel's other tabs; by default there are none. */
  readonly tabs?: Tabs;
  /** For tabs that share one connection: returns the parts of the environment that are the tab's own. */
  readonly enterRooms?: (setTimer: Environment["setTimer"]) => Pick<Environment, "joinRoom" | "setTimer">;
  /** The error of the device's clock, in ms. */
  readonly clockShiftMs?: number;
  /** Keys that the BFF has confirmed to this browser: tabs that share a stream all learn what any of them received. */
  readonly confirmed?: Set<string>;
}

export function createCustomer({
  name,
  url,
  origin = url,
  mark,
  random,
  storage = createStorage(),
  tabs = { post: () => undefined, listen: () => undefined },
  enterRooms,
  clockShiftMs = 0,
  confirmed = new Set(),
}: CustomerOptions): Customer {
  const agent = new Agent({ bodyTimeout: 0, headersTimeout: 0, keepAliveTimeout: 2000 });
  const told = new Set<string>();
  const falselyTold: string[] = [];
  const written: string[] = [];
  const retriedAfterSent: string[] = [];
  let speed = SPEED;
  const setTimer: Environment["setTimer"] = (run, ms) => {
    const timer = setTimeout(run, ms / speed);
    return () => clearTimeout(timer);
  };
  const chat = new Chat({
    describe: () => ({}),
    loadStream: async () => createConversationStream,
    environment: {
      async fetch(path, init) {
        try {
          const answer = await fetchAndNote({ url, origin, agent, confirmed }, path, init);
          speed = Math.min(SPEED, speed * SLOWER);
          return answer;
        } catch (error) {
          if (init.signal?.aborted) speed = Math.max(1, speed / SLOWER);
          throw error;
        }
      },
      now: () => clockShiftMs + performance.now() * SPEED,
      random: random.next,
      randomId: () => random.hex(32),
      setTimer,
      ...enterRooms?.(setTimer),
      storage,
      tabStorage: createStorage(),
      tabs,
      isOnline: () => true,
      isVisible: () => true,
      isWriting: () => false,
    },
  });
  chat.subscribe((happening) => {
    if (happening.type !== "message.sent") return;
    const key = happening.message.clientMessageId ?? "";
    told.add(key);
    if (!confirmed.has(key)) falselyTold.push(key);
  });
  return {
    name,
    chat,
    written,
    told,
    falselyTold,
    write() {
      const body = `${name}${mark ? ` ${mark()}` : ""} writes ${written.length + 1}`;
      if (chat.outbox.send(body) === "sending") written.push(body);
      return body;
    },
    screen: () => (chat.identity.isChanging.value ? [] : chat.conversation.log.value.messages),
    retryAll() {
      for (const { clientMessageId, body, status } of chat.conversation.log.value.pending) {
        if (status === "not_confirmed" && told.has(clientMessageId)) retriedAfterSent.push(body);
        chat.outbox.retry(clientMessageId);
      }
    },
    retriesAfterSent: (body) => retriedAfterSent.filter((one) => one === body).length,
    async leave() {
      chat.close();
      chat.pause();
      await agent.destroy();
    },
  };
}

export function createStorage(): BrowserStorage {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}

interface Noting {
  readonly url: string;
  readonly origin: string;
  readonly agent: Agent;
  readonly confirmed: Set<string>;
}

/**
 * Behaves like a browser's `fetch` in the frame. Records which keys the BFF has confirmed: by a 200 or 201, or by an
 * event of the log.
 */
async function fetchAndNote(
  { url, origin, agent, confirmed }: Noting,
  path: string,
  init: RequestInit,
): Promise<Response> {
  const headers = { ...(init.headers as Record<string, string>), origin };
  const answer = await undiciFetch(`${url}${path}`, {
    method: init.method ?? "GET",
    headers,
    ...(typeof init.body === "string" ? { body: init.body } : {}),
    ...(init.signal ? { signal: init.signal } : {}),
    redirect: "error",
    dispatcher: agent,
  });
  const response = answer as unknown as Response;
  if (response.status !== 200 && response.status !== 201) return response;
  const note = createKeyNoter((key) => confirmed.add(key));
  const body = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(bytes, controller) {
        note(bytes);
        controller.enqueue(bytes);
      },
    }),
  );
  return new Response(body ?? null, { status: response.status, headers: [...response.headers] });
}

/** Finds `"clientMessageId":"KEY"` in bytes that arrive in arbitrary pieces. */
function createKeyNoter(note: (key: string) => void): (bytes: Uint8Array) => void {
  const decoder = new TextDecoder();
  let text = "";
  return (bytes) => {
    text += decoder.decode(bytes, { stream: true });
    for (const [, key] of text.matchAll(/"clientMessageId":"([\w-]+)"/g)) if (key) note(key);
    text = text.slice(-100);
  };
}
