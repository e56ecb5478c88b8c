import type { Context } from "hono";
import type { Clock } from "../../shared/server/clock.ts";
import type { Log } from "../../shared/server/log.ts";
import type { Random } from "../../shared/server/random.ts";
import type { Answers } from "../answers/answers.ts";
import type { RequestFacts } from "../http/problems.ts";
import type { Hub } from "../live/hub.ts";
import type { DeskSessionRecord } from "../store/accounts.ts";
import type { Store } from "../store/store.ts";
import type { DeskFiles } from "./desk-files.ts";
import type { PasswordHasher } from "./password.ts";

/** Everything that the desk takes from outside. */
export interface DeskDeps {
  readonly store: Pick<Store, "attachments" | "desk" | "deskAccounts" | "deskPeople" | "workspaces">;
  readonly hub: Hub;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** The built page. */
  readonly files: DeskFiles;
  readonly passwords: PasswordHasher;
  /** The address that a request came from, by which failed sign-ins are counted. */
  readonly addressOf: (c: Context) => string;
  /** The origin under which people open the desk, where a proxy hides it from the `Host` header. */
  readonly publicOrigin?: string | undefined;
  /** Runs a command that may interrupt an agent's answer, so that what was shown of it is stored as incomplete. */
  readonly interrupting: Answers["interrupting"];
  /** Ends every open stream when it aborts: the process is leaving. */
  readonly stopping?: AbortSignal | undefined;
}

/** What the gate has found out about a request before a route sees it. */
export interface DeskEnv {
  Variables: RequestFacts["Variables"] & { session: DeskSessionRecord; token: string };
}
