import { Hono } from "hono";
import { streamDesk } from "../../shared/desk-operations.ts";
import { addCustomerPage } from "./customer-page.ts";
import { addConversations } from "./desk-conversations.ts";
import type { DeskDeps, DeskEnv } from "./desk-deps.ts";
import { createDeskGate } from "./desk-gate.ts";
import { servePage } from "./desk-page.ts";
import { createDeskMount } from "./desk-route.ts";
import { createDeskSessions } from "./desk-sessions.ts";
import { openDeskStream } from "./desk-stream.ts";
import { addLinks } from "./links.ts";
import { addPasswordChange } from "./password-change.ts";
import { addPeople } from "./people.ts";
import { addSignIn } from "./sign-in.ts";
import { createSignInLimits } from "./sign-in-limits.ts";

/**
 * The desk, to be mounted at `/desk`: its calls below `api/` (shared/desk-operations.ts) and its page. It throws
 * failures; the app that mounts it turns them into problem+json, with `Retry-After` where they name one.
 */
export function createDesk(deps: DeskDeps): Hono<DeskEnv> {
  const app = new Hono<DeskEnv>();
  const sessions = createDeskSessions({
    accounts: deps.store.deskAccounts,
    now: () => deps.clock.now(),
    random: deps.random,
  });
  app.use("/api/*", createDeskGate(deps, sessions));
  const limits = createSignInLimits(deps.clock);
  const mount = createDeskMount(app);
  addSignIn(mount, deps, sessions, limits);
  addLinks(mount, deps, sessions, limits);
  addPasswordChange(mount, deps, sessions, limits);
  addPeople(mount, deps, sessions);
  addConversations(mount, deps);
  addCustomerPage(mount, deps);
  mount(streamDesk, ({ c }) => {
    c.header("content-type", "text/event-stream; charset=utf-8");
    c.header("cache-control", "no-store, no-transform");
    // By default nginx holds an answer back until it has 4 kB of it.
    c.header("x-accel-buffering", "no");
    return c.body(openDeskStream(deps, sessions, c.get("session")));
  });
  app.get("*", (c) => servePage(c, deps.files));
  return app;
}
