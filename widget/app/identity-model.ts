import { computed, createModel, type ReadonlySignal, type Signal } from "@preact/signals";
import { createEmitter, type Emitter } from "../client/emitter.ts";
import type { ChatFailure } from "./chat-failure.ts";
import type { Environment, TabMessage } from "./environment.ts";
import { asChanging, type Identity, nameOf } from "./identity.ts";
import type { OwnerConfig } from "./owner-config.ts";
import type { Revocations } from "./revocations.ts";
import type { SessionModel } from "./session-model.ts";
import type { TokenStore } from "./session-storage.ts";
import type { SiteIdentity } from "./site-identity.ts";

/** Ten minutes before an unused identified session expires. A duration, because a device's clock may be a day off. */
const RENEWAL_MS = 50 * 60_000;

export interface IdentityModelDeps {
  readonly environment: Pick<Environment, "randomId" | "setTimer" | "tabs">;
  /** What the browser's other tabs report. */
  readonly tabs: Emitter<TabMessage>;
  readonly identity: Signal<Identity>;
  readonly session: SessionModel;
  readonly tokens: TokenStore;
  readonly site: SiteIdentity;
  readonly revocations: Revocations;
  readonly config: OwnerConfig;
  readonly isOpen: ReadonlySignal<boolean>;
}

export type IdentityModel = InstanceType<typeof IdentityModel>;

/**
 * The customer's identity, according to the site, the other tabs and the customer. An identified customer's messages are
 * hidden from the moment when somebody else may be signing in until the site has said who it is.
 */
export const IdentityModel = createModel((deps: IdentityModelDeps) => {
  const { environment, identity, session, tokens, site, revocations, config, isOpen } = deps;
  const statements = createEmitter<number>();
  let statement = 0;
  let announced = "";
  let isLoggedOut = false;
  let cancelRenewal = (): void => undefined;

  const isIdentified = () => tokens.isIdentified() || session.customer()?.identified === true;
  // A failure is shown by the session's state.
  const renew = () => void session.renew().catch(() => undefined);
  const hold = () => {
    identity.value = asChanging(identity.peek());
  };
  const askAgain = () => {
    hold();
    if (session.state.peek().kind !== "none") renew();
  };
  const leave = (): Promise<ChatFailure | undefined> => {
    cancelRenewal();
    return revocations.add(session.forget());
  };
  const leaveWithOthers = () => {
    isLoggedOut = true;
    void leave();
  };
  const logout = () => {
    site.isVouching.value = false;
    const id = environment.randomId();
    tokens.endEra(id);
    environment.tabs.post(`logout ${id}`);
    return leave();
  };

  /**
   * Tells the other tabs once which customer the site identified here: two tabs with two customers must not ask each
   * other forever.
   */
  const announce = (name: string) => {
    if (name && name !== announced) environment.tabs.post(`named ${name}`);
    announced = name;
  };

  deps.tabs.subscribe((message) => {
    const [type, logoutId] = message.split(" ");
    if (type === "logout") {
      // After `wake` took note of this logout, a session may have begun.
      if (tokens.isOver(logoutId)) leaveWithOthers();
    } else if (message === "switch" && isIdentified()) askAgain();
    else if (type === "named" && message !== `named ${nameOf(session.customer())}`) {
      // The site may have another customer now, and its page here may not have noticed. An anonymous visitor may have
      // signed in there, which only a site that identifies its visitors can say.
      if (isIdentified() || site.isVouching.peek()) askAgain();
    }
  });
  session.subscribe((change) => {
    if (change.kind === "cleared" && change.why === "other") environment.tabs.post("switch");
    // A customer's messages are hidden until the next session confirms that it is still the same customer.
    else if (change.kind === "claimed") hold();
    else if (change.kind === "started") {
      cancelRenewal();
      announce(nameOf(change.answer.customer));
      if (!isIdentified()) return;
      cancelRenewal = environment.setTimer(() => {
        if (isOpen.peek()) renew();
      }, RENEWAL_MS);
    }
  });

  return {
    who: identity as ReadonlySignal<Identity>,
    /** Somebody other than this conversation's owner may be signing in: none of it may be shown. */
    isChanging: computed(() => identity.value.kind === "changing"),
    /** Whether the owner allows chats of visitors whom the site does not know. */
    mayStayAnonymous: computed(() => config.value?.identityPolicy === "optional"),
    /**
     * The name under which unsent texts are stored: the identified customer's, or the one that the site named; empty for
     * an anonymous visitor, undefined while the site has not answered.
     */
    owner: computed((): string | undefined => {
      const { value } = identity;
      const name = value.kind === "unknown" ? "" : nameOf(value.customer);
      return name || (site.isVouching.value ? value.claimed : "");
    }),
    /** Requests identity tokens from the site's page. */
    site,
    /** The page reported another visitor; runs before any consequence. */
    onStatement: statements.subscribe,
    logout,
    /** The page's command. Its statement has logged out before; whom the page named since then stays. */
    finishLogout: () => (statement > 0 ? revocations.run() : logout()),
    /** Another tab logged out: until this page identifies somebody again, its site is asked only when the customer acts. */
    isLoggedOut: () => isLoggedOut,
    hold,
    /**
     * The page reports who identifies its visitor: for a positive number the site does, with a new number for each
     * call; a negative number is its logout, 0 nobody.
     */
    identify(next: number): void {
      // A logout is repeated until the page knows that it is done; nobody is there after it, too.
      if (next === statement || (next < 0 && -next < statement) || (!next && statement < 0)) return;
      const wasSomebody = statement > 0 && session.state.value.kind !== "none";
      statement = next;
      isLoggedOut = false;
      site.isVouching.value = next > 0;
      statements.emit(next);
      if (next < 0) void logout();
      else askAgain();
      // Also if the first person has no session yet: what they wrote before it is on the screen.
      if (next > 0 && wasSomebody) identity.value = { ...identity.value, kind: "changing" };
    },
    /** Continues without the site's token, after it failed and the customer chose to. */
    stayAnonymous(): void {
      site.isVouching.value = false;
      if (isIdentified()) void leave();
      renew();
    },
    /** The page is back: meanwhile another tab may have logged out, or the site may have another customer. */
    wake(): void {
      if (tokens.isOver()) leaveWithOthers();
      else if (identity.value.kind === "changing") askAgain();
      void revocations.run();
    },
  };
});
