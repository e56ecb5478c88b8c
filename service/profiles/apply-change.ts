import { Failure } from "../../shared/errors.ts";
import { isAnonymousId } from "../../shared/id.ts";
import { withoutSecrets } from "../../shared/safe-traits.ts";
import type { Clock } from "../../shared/server/clock.ts";
import type { Log } from "../../shared/server/log.ts";
import { type Traits, TraitValue } from "../../shared/traits.ts";
import type { Store } from "../store/store.ts";
import type { ProfileChange, ProfileSource } from "./source.ts";

/** How far the clock of a source may be ahead, in ms. */
const MAX_AHEAD_MS = 5 * 60_000;
const FUTURE = "The change is dated more than five minutes in the future. Check the clock of its sender.";

/** Applies one change of a source. Idempotent. @throws Failure `bad_request`, `unavailable`, `storage_full` */
export type ApplyChange = (source: ProfileSource, change: ProfileChange) => Promise<void>;

export function createApplyChange(deps: {
  readonly store: Pick<Store, "profiles" | "workspaces">;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
}): ApplyChange {
  const { store, clock, log } = deps;
  return async (source, change) => {
    const { externalId, at, messageId } = change;
    const facts = { source: source.name };
    // The BFF creates these ids, so no other system can know such a visitor.
    if (externalId === "" || isAnonymousId(externalId)) {
      log.warn(facts, "a profile change without a customer's own id was left out");
      return;
    }
    // The newest one wins, so it would block every later one until its time has come.
    if (at > clock.now() + MAX_AHEAD_MS) throw new Failure("bad_request", { detail: FUTURE });
    const workspaceId = await workspaceOf(store, source);
    if (workspaceId === undefined) {
      log.error(facts, "a profile source names no workspace that is there");
      throw new Failure("unavailable");
    }
    const traits = allowedTraits(source, change, log);
    await store.profiles.apply(workspaceId, { source: source.name, externalId, traits, at, messageId });
  };
}

async function workspaceOf(store: Pick<Store, "workspaces">, source: ProfileSource) {
  const workspaces = await store.workspaces.list();
  if (source.workspace !== undefined) return workspaces.find(({ name }) => name === source.workspace)?.id;
  return workspaces.length === 1 ? workspaces[0]?.id : undefined;
}

/** The traits that this source may set and that a profile may contain. The log has their names, never their values. */
function allowedTraits(source: ProfileSource, change: ProfileChange, log: Log): Traits {
  const allowed: Traits = {};
  for (const name of source.traits) {
    const value = TraitValue.safeParse(change.traits[name]);
    if (value.success && Object.hasOwn(change.traits, name)) allowed[name] = value.data;
  }
  const { traits, dropped } = withoutSecrets(allowed);
  if (dropped.length > 0)
    log.warn({ source: source.name, traits: dropped }, "traits that look like secrets were left out");
  return traits;
}
