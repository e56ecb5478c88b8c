import { type ReadonlySignal, signal } from "@preact/signals";
import type { ChatFailure } from "./chat-failure.ts";
import type { Environment } from "./environment.ts";
import type { Revocations } from "./revocations.ts";
import type { Relation, SessionLife } from "./session-life.ts";
import type { TokenStore } from "./session-storage.ts";
import type { SiteIdentity } from "./site-identity.ts";

/** Ten minutes before an identified session ends unused. A duration, not an instant: a device's clock may be a day off. */
const RENEWAL_MS = 50 * 60_000;

export interface VisitorDeps {
  readonly environment: Pick<Environment, "randomId" | "setTimer" | "tabs">;
  readonly session: SessionLife;
  readonly tokens: TokenStore;
  readonly site: SiteIdentity;
  readonly revocations: Revocations;
  readonly isOpen: ReadonlySignal<boolean>;
  /** Takes everything off the screen that belongs to the one who was there. */
  readonly clear: () => void;
  /** Hides what an earlier page left behind, until it is known whose it is. */
  readonly hide: () => void;
  /** A conversation was erased from another tab. */
  readonly onErased: (conversationId: string) => void;
  /** A conversation began in another tab, maybe this customer's. */
  readonly onStarted: () => void;
}

export type Visitor = ReturnType<typeof createVisitor>;

/**
 * Who sits before the screen, by what the site, another tab and the customer say. What an identified customer wrote is
 * covered from the moment at which somebody else may be there until the site has said who.
 */
export function createVisitor(deps: VisitorDeps) {
  const { environment, session, tokens, site, revocations, isOpen, clear } = deps;
  const isHeld = signal(false);
  let turn = 0;
  let cancelRenewal = (): void => undefined;

  const isIdentified = () => tokens.isIdentified() || session.customer()?.identified === true;
  // Its failure stands in the session's phase.
  const renew = () => void session.renew().catch(() => undefined);
  const hold = () => {
    isHeld.value = isHeld.value || session.customer()?.identified === true;
  };
  const askAgain = () => {
    hold();
    if (session.state.value.kind !== "none") renew();
  };
  const leave = (): Promise<ChatFailure | undefined> => {
    cancelRenewal();
    site.isVouching = false;
    const token = session.forget();
    clear();
    isHeld.value = false;
    return revocations.add(token);
  };
  const logout = () => {
    tokens.endEra(environment.randomId());
    environment.tabs?.post("logout");
    return leave();
  };
  environment.tabs?.listen((message) => {
    if (message === "logout") void leave();
    else if (message === "started") deps.onStarted();
    else if (message.startsWith("erased ")) deps.onErased(message.slice(7));
    else if (isIdentified()) askAgain();
  });

  return {
    isHeld,
    logout,
    hold,
    /** The page says who vouches: above nought the site does, each number a new word of it; below, it signed out. */
    identify: (next: number) => {
      if (next === turn) return;
      const wasSomebody = turn > 0 && session.state.value.kind !== "none";
      turn = next;
      site.isVouching = next > 0;
      deps.hide();
      if (next < 0) void logout();
      else askAgain();
      // Also where the first has no session yet: what they wrote before it stands there.
      if (next > 0 && wasSomebody) isHeld.value = true;
    },
    /** The customer goes on without the site's word. */
    stayAnonymous: () => {
      if (isIdentified()) void leave();
      site.isVouching = false;
      renew();
    },
    onSession(relation: Relation, isLatest: boolean) {
      if (relation === "other") {
        clear();
        environment.tabs?.post("switch");
      }
      if (isLatest) isHeld.value = false;
      cancelRenewal();
      if (!isIdentified()) return;
      cancelRenewal = environment.setTimer(() => {
        if (isOpen.value) renew();
      }, RENEWAL_MS);
    },
    /** The page is back: another tab may have logged out, or the site have another customer, meanwhile. */
    wake() {
      if (tokens.isOver()) void leave();
      else if (isHeld.value) askAgain();
      void revocations.run();
    },
  };
}
