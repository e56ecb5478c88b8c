import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { createPipe, type Direction, type Pipe, type Toxic } from "./toxics.ts";

/** A TCP proxy on a free port of 127.0.0.1 whose connections can be disturbed while they are in use. */
export interface FaultProxy {
  readonly port: number;
  readonly url: string;
  /** Applies to open and future connections from now on; undefined removes the toxic. */
  readonly set: (direction: Direction, toxic: Toxic | undefined) => void;
  /** The address disappears: open connections end, new ones are refused. */
  readonly down: () => Promise<void>;
  readonly up: () => Promise<void>;
  /** Removes all toxics and restores the address. Half-open connections stay half-open. */
  readonly cure: () => Promise<void>;
  /** Connections that are open on the client's side. */
  readonly connections: () => number;
  readonly closeConnections: () => void;
  readonly close: () => Promise<void>;
}

interface Connection {
  readonly pipes: readonly Pipe[];
  readonly close: () => void;
}

/** @param target the port of 127.0.0.1 that it forwards to */
export async function startProxy(target: () => number, random: () => number): Promise<FaultProxy> {
  const toxics: { -readonly [D in Direction]?: Toxic | undefined } = {};
  const open = new Set<Connection>();
  const accept = (client: Socket) => {
    const connection = join(client, connect({ port: target(), host: "127.0.0.1", allowHalfOpen: true }), {
      toxics,
      random,
      onClose: () => open.delete(connection),
    });
    open.add(connection);
    for (const pipe of connection.pipes) pipe.onToxic();
  };
  let server: Server | undefined = await listenOn(0, accept);
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  const { port } = address;

  const closeConnections = () => {
    for (const connection of open) connection.close();
  };
  const takeDown = async () => {
    const closing = server;
    server = undefined;
    if (!closing) return;
    const closed = once(closing, "close");
    closing.close();
    closeConnections();
    await closed;
  };
  // Calls to `down` and `up` run one after another, because two may overlap.
  let turn = Promise.resolve();
  const inTurn = (run: () => Promise<void>) => {
    const done = turn.then(run);
    turn = done.catch(() => undefined);
    return done;
  };
  const up = () =>
    inTurn(async () => {
      server ??= await listenOn(port, accept);
    });
  const set = (direction: Direction, toxic: Toxic | undefined) => {
    toxics[direction] = toxic;
    for (const { pipes } of open) for (const pipe of pipes) pipe.onToxic();
  };
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    set,
    down: () => inTurn(takeDown),
    up,
    async cure() {
      set("up", undefined);
      set("down", undefined);
      await up();
    },
    connections: () => open.size,
    closeConnections,
    close: () => inTurn(takeDown),
  };
}

async function listenOn(port: number, accept: (client: Socket) => void): Promise<Server> {
  const server = createServer({ allowHalfOpen: true, noDelay: true }, accept);
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return server;
}

interface Joint {
  readonly toxics: Readonly<Partial<Record<Direction, Toxic | undefined>>>;
  readonly random: () => number;
  readonly onClose: () => void;
}

function join(client: Socket, server: Socket, { toxics, random, onClose }: Joint): Connection {
  server.setNoDelay(true);
  const pipes: Pipe[] = [];
  const idle: (() => Promise<void>)[] = [];
  const close = () => {
    client.destroy();
    server.destroy();
  };
  const reset = () => {
    client.resetAndDestroy();
    server.resetAndDestroy();
  };
  for (const [direction, from, to] of [
    ["up", client, server],
    ["down", server, client],
  ] as const) {
    const pipe = createPipe({
      toxic: () => toxics[direction],
      random,
      write: (bytes) => writeTo(to, bytes),
      end: () => void to.end(),
      closeBoth: close,
      resetBoth: reset,
    });
    pipes.push(pipe);
    idle.push(follow(from, pipe));
  }
  // When one side breaks, so does the other, as in a real proxy; a half-open connection notifies nobody.
  client.on("error", close);
  server.on("error", close);
  server.on("close", () => {
    void Promise.all(idle.map((wait) => wait())).then(() => {
      if (!pipes.some((pipe) => pipe.isSilent())) client.destroySoon();
    });
  });
  client.on("close", () => {
    server.destroy();
    for (const pipe of pipes) pipe.dispose();
    onClose();
  });
  return { pipes, close };
}

/**
 * Forwards each piece before the next one is taken, so that the order is preserved and nothing piles up. Returns a
 * function that waits for the last.
 */
function follow(from: Socket, pipe: Pipe): () => Promise<void> {
  let last = Promise.resolve();
  from.on("data", (bytes: Buffer) => {
    from.pause();
    last = last.then(() => pipe.carry(bytes)).then(() => void from.resume());
  });
  from.on("end", () => {
    last = last.then(() => pipe.finish());
  });
  return () => last;
}

function writeTo(to: Socket, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    if (to.destroyed || to.writableEnded) resolve();
    else to.write(bytes, () => resolve());
  });
}
