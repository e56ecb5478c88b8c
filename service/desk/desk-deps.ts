import type { Context } from "hono";
import type { Clock } from "../../shared/server/clock.ts";
import type { Log } from "../../shared/server/log.ts";
import type { Random } from "../../shared/server/random.ts";
import type { Actions } from "../actions/actions.ts";
import type { Answers } from "../answers/answers.ts";
import type { RequestFacts } from "../http/problems.ts";
import type { Hub } from "../live/hub.ts";
import type { Presence } from "../live/presence.ts";
import type { DeskSessionRecord } from "../store/accounts.ts";
import type { Store } from "../store/store.ts";
import type { DeskFiles } from "./desk-files.ts";
import type { PasswordHasher } from "./password.ts";

/** The dependencies of the desk. */
export interface DeskDeps {
  readonly store: Pick<
    Store,
    "attachments" | "desk" | "deskAccounts" | "deskPeople" | "epoch" | "workspaces"
  >;
  readonly hub: Hub;
  readonly presence: Pick<Presence, "of">;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** The built page. */
  readonly files: DeskFiles;
  readonly passwords: PasswordHasher;
  /** The client address of a request, by which failed sign-ins are counted. */
  readonly addressOf: (c: Context) => string;
  /** The public origin of the desk, where a proxy replaces the `Host` header. */
  readonly publicOrigin?: string | undefined;
  /** Runs a command that may interrupt an agent's answer, so that what was shown of it is stored as incomplete. */
  readonly interrupting: Answers["interrupting"];
  /** Reports that the agent may owe an answer. */
  readonly wake: Answers["wake"];
  /** Asks the agent for a reply that a person may use. */
  readonly draft: Answers["draft"];
  readonly actions: Pick<Actions, "answerAsPerson">;
  /** Ends every open stream when it aborts, because the process is stopping. */
  readonly stopping?: AbortSignal | undefined;
}

/** The facts about a request that the gate found before a route runs. */
export interface DeskEnv {
  Variables: RequestFacts["Variables"] & { session: DeskSessionRecord; token: string };
}
