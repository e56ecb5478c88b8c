import { randomBytes, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { importJWK, SignJWT } from "jose";
import { listenOnFreePort } from "../../shared/testing/listen.ts";
import { createKey } from "../../tools/identity/create-key.ts";

/** A shop with its own sign-in, which signs identity tokens for its customers. */
export interface IdentitySite {
  readonly origin: string;
  /** The key set for the BFF. */
  readonly keySet: string;
  /** How often the shop was asked for a token, and with which cookie. */
  readonly asked: string[];
  readonly embed: (widgetOrigin: string) => void;
  /** A token as the shop's server signs it; `claims` add to it or replace parts. */
  readonly sign: (customer: string, claims?: Record<string, unknown>) => Promise<string>;
  readonly close: () => Promise<void>;
}

const customerOf = (request: IncomingMessage) =>
  /(?:^|; )customer=(\w+)/.exec(request.headers.cookie ?? "")?.[1];

/**
 * `/` has the tag; `/url` has it with `data-identity-url`; `/plain` has none. `/sign-in?as=NAME` and `/sign-out` change
 * the person in the shop's cookie; `/chat-token` returns that person's token, or says that nobody is signed in.
 */
export async function startIdentitySite(): Promise<IdentitySite> {
  let widgetOrigin = "";
  const asked: string[] = [];
  const { signing, verifying } = createKey("ES256", "shop-1", randomBytes);
  const key = await importJWK(signing, "ES256");
  const sign: IdentitySite["sign"] = (customer, claims = {}) =>
    new SignJWT({ sub: customer, aud: "parley", jti: randomUUID(), name: customer, ...claims })
      .setProtectedHeader({ alg: "ES256", kid: "shop-1", typ: "JWT" })
      .setIssuedAt()
      .setExpirationTime("5m")
      .sign(key);
  const page = (tag: string) =>
    `<!doctype html><html lang="en"><title>Shop</title><h1>Shop</h1>${tag}</html>`;
  const tag = (more = "") => `<script async src="${widgetOrigin}/widget.js"${more}></script>`;

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://shop");
    const customer = customerOf(request);
    const html = (text: string) => {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(text);
    };
    const go = (cookie: string) => {
      response
        .writeHead(303, { location: "/", "set-cookie": `customer=${cookie}; Path=/; SameSite=Lax` })
        .end();
    };
    if (pathname === "/") html(page(tag()));
    else if (pathname === "/url") html(page(tag(' data-identity-url="/chat-token"')));
    else if (pathname === "/plain") html(page(""));
    else if (pathname === "/sign-in") go(`${searchParams.get("as")}`);
    else if (pathname === "/sign-out") go("; Max-Age=0");
    else if (pathname === "/chat-token") {
      asked.push(customer ?? "nobody");
      const token = customer ? await sign(customer) : null;
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ token }));
    } else response.writeHead(404).end();
  };
  const server = createServer((request, response) => void answer(request, response));
  const { port, close } = await listenOnFreePort(server);
  return {
    origin: `http://localhost:${port}`,
    keySet: JSON.stringify({ keys: [verifying] }),
    asked,
    embed: (given) => {
      widgetOrigin = given;
    },
    sign,
    close,
  };
}
