import { createModel, effect, type ReadonlySignal, signal } from "@preact/signals";
import type { StartSession } from "../../shared/api/session.ts";
import { createEmitter } from "../client/emitter.ts";
import { type BffClient, createBffClient } from "./bff-client.ts";
import { ComposerModel } from "./composer-model.ts";
import { ConnectionModel, type ConnectionModelDeps } from "./connection-model.ts";
import { createConversationLog } from "./conversation-log.ts";
import { ConversationModel } from "./conversation-model.ts";
import type { RequestState } from "./conversation-requests.ts";
import type { Environment, TabMessage } from "./environment.ts";
import { type Identity, NOBODY } from "./identity.ts";
import { IdentityModel } from "./identity-model.ts";
import { OutboxModel } from "./outbox-model.ts";
import { createOwnerConfig } from "./owner-config.ts";
import type { PanelEvent } from "./panel-events.ts";
import { createRevocations } from "./revocations.ts";
import { SessionModel } from "./session-model.ts";
import { createTokenStore } from "./session-storage.ts";
import { createSiteIdentity } from "./site-identity.ts";
import { StoredDrafts } from "./stored-drafts.ts";

/** The headless panel: all state and rules. The interface only shows the signals and calls the methods. */
export type Chat = InstanceType<typeof Chat>;

export interface ChatDeps extends Pick<ConnectionModelDeps, "loadStream"> {
  readonly environment: Environment;
  /** Describes the page for a starting session. */
  readonly describe: () => StartSession;
}

/**
 * Composes the models. Each one knows those created before it, and receives later ones' events. They are created in this
 * order: identity, drafts, conversation, connection, outbox.
 */
export const Chat = createModel(({ environment, loadStream, describe }: ChatDeps) => {
  const isOpen = signal(false);
  const isSeen = () => isOpen.peek() && environment.isVisible();
  const identityState = signal<Identity>(NOBODY);
  const tabs = createEmitter<TabMessage>();
  environment.tabs.listen(tabs.emit);
  const client = createBffClient(environment);
  const log = createConversationLog();
  const tokens = createTokenStore(environment);
  const revocations = createRevocations(environment, client);
  const site = createSiteIdentity(environment);
  const config = createOwnerConfig(client, log);
  const composer = new ComposerModel();
  const session = new SessionModel({ client, tokens, site, revocations, identity: identityState, describe });
  const identity = new IdentityModel({
    environment,
    tabs,
    identity: identityState,
    session,
    tokens,
    site,
    revocations,
    config,
    isOpen,
  });
  const handoff = signal<RequestState>({ kind: "idle" });
  const drafts = new StoredDrafts({ environment, tokens, log, composer, handoff, session, identity });
  const conversation = new ConversationModel({ client, session, log, handoff, drafts, tabs, isSeen });
  session.subscribe(({ kind }) => {
    if (kind === "cleared") composer.clear();
    // It was typed before the site named this customer.
    else if (kind === "claimed") composer.held.value = "";
  });
  // Who typed during an earlier check need not be the one whom the page names now.
  identity.onStatement(() => {
    composer.held.value = "";
  });
  effect(() => {
    if (!identity.isChanging.value) composer.release();
  });
  const connection = new ConnectionModel({
    environment,
    client,
    session,
    log,
    config,
    tabs,
    draft: composer.draft,
    unread: conversation.unread,
    isOpen,
    isSeen,
    loadStream,
  });
  const outbox = new OutboxModel({ environment, client, session, log, drafts, connection });

  const markSeen = () => {
    conversation.unread.value = 0;
    connection.sayAllSeen();
    conversation.sayExpiry();
  };

  return {
    identity,
    session,
    connection,
    composer,
    outbox,
    conversation,
    client: client as Pick<BffClient, "call" | "readFaults">,
    isOpen: isOpen as ReadonlySignal<boolean>,
    open(): void {
      isOpen.value = true;
      markSeen();
      void revocations.add(tokens.takeStale());
      connection.reach();
    },
    close(): void {
      isOpen.value = false;
    },
    /**
     * Resumes the conversation of an earlier page before the panel is opened. With `isFollowed` the site may be asked
     * for its visitor's identity, because a visitor with a conversation expects replies to arrive.
     * @returns false if this browser has no session to resume, so there is nothing to follow
     */
    resume(isFollowed = false): boolean {
      const isVouching = site.isVouching.value;
      const hasToken = tokens.read() !== undefined;
      const mayAsk = isVouching ? isFollowed && !identity.isLoggedOut() : hasToken && !tokens.isIdentified();
      if (mayAsk && session.state.value.kind === "none") {
        if (isFollowed) connection.resume();
        // The session's state has the failure, and an open panel retries.
        else session.ensure().catch(() => undefined);
      }
      return hasToken || isVouching;
    },
    /** Leaves a conversation that the service lost, and sends the next one what was not confirmed. */
    startOver(): void {
      conversation.leave();
      connection.follow();
      outbox.retryAll();
    },
    goOffline: connection.goOffline,
    /** The page came back, became visible, or the network did. */
    wake(): void {
      identity.wake();
      if (isSeen()) markSeen();
      connection.wake();
      outbox.insist();
    },
    pause(): void {
      identity.hold();
      connection.pause();
    },
    /** Reports something that is not visible in the state, such as texts for screen readers. */
    report: (event: PanelEvent): void => log.report(event),
    subscribe: log.subscribe,
  };
});
