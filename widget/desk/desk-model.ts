import { batch, computed, createModel, effect, signal, untracked } from "@preact/signals";
import type { DeskUser, LinkOffer } from "../../shared/desk.ts";
import { Failure } from "../../shared/errors.ts";
import { createCalendar } from "../client/calendar.ts";
import { type AlertsEnvironment, AlertsModel } from "./alerts-model.ts";
import { BoardModel, type BoardModelDeps } from "./board-model.ts";
import { CustomerModel } from "./customer-model.ts";
import {
  customerAddress,
  DETAILS,
  type NamedPage,
  parseConversationFragment,
  parseCustomerFragment,
  parsePageFragment,
} from "./desk-address.ts";
import { failureFrom, isSignedOut } from "./desk-calls.ts";
import { PeopleModel } from "./people-model.ts";
import { texts } from "./texts.ts";

export type Screen =
  | { readonly kind: "loading" }
  | { readonly kind: "unreachable" }
  | { readonly kind: "set-up"; readonly token: string }
  | { readonly kind: "join"; readonly token: string; readonly offer: LinkOffer }
  /** `over`: the service said that the link is no longer valid. Otherwise its state is unknown. */
  | { readonly kind: "link-failed"; readonly token: string; readonly over: boolean }
  /** `expired` if a session ended while the person was working: their texts stay. */
  | { readonly kind: "sign-in"; readonly expired: boolean }
  | { readonly kind: "desk"; readonly user: DeskUser };

/** The part of the desk that a signed-in person sees. */
export type Page = "board" | NamedPage | "customer";

/** What the desk would lose with this page: a reply that is not confirmed, a typed text, or a file without a reply. */
export type Unsent = "reply" | "text" | "file";

export type DeskModel = InstanceType<typeof DeskModel>;
export interface DeskModelDeps extends Omit<BoardModelDeps, "onNews" | "onSignedOut" | "noteFailure"> {
  /** The public address of the desk, with which links begin. */
  readonly deskUrl: string;
  /** Rejects when the browser does not allow it. */
  readonly copy: (text: string) => Promise<void>;
  readonly alerts: AlertsEnvironment;
}

/** The whole desk without a DOM: which screen, who is signed in, and that person's board. */
export const DeskModel = createModel((deps: DeskModelDeps) => {
  const { client } = deps;
  const screen = signal<Screen>({ kind: "loading" });
  const signOutDoubt = signal<Failure | undefined>(undefined);
  const signingOut = signal(false);
  const page = signal<Page>("board");
  let lastPage: Page = "board";
  /** The fragment that names a conversation or a page, until somebody is signed in to see it. */
  let addressed = "";
  /** Takes what one person saw off the screen. */
  function suspend(): void {
    board.suspend();
    people.forget();
    customer.suspend();
  }
  function onSignedOut(): void {
    if (screen.value.kind !== "desk") return;
    addressed = `#${page.peek()}`;
    suspend();
    screen.value = { kind: "sign-in", expired: true };
  }
  /** A failure that ends the session ends it everywhere; any other is shown where it happened. */
  function noteFailure(cause: unknown): Failure {
    const failure = failureFrom(cause);
    if (isSignedOut(failure)) onSignedOut();
    // Another window may have signed in as somebody else.
    else if (failure.code === "forbidden") void checkWho();
    return failure;
  }
  const board = new BoardModel({
    ...deps,
    isPresent: () => deps.isPresent() && idOnScreen.peek() !== undefined,
    onNews: (news) => void alerts.alert(news),
    onSignedOut,
    noteFailure,
  });
  /** The open conversation, unless another page hides it, or another region where not all of them have room. */
  const idOnScreen = computed(() => {
    const { columns, view, openedId } = board;
    const isHidden =
      page.value !== "board" ||
      (columns.value < 3 && view.value === "customer") ||
      (columns.value === 1 && view.value === "queue");
    return isHidden ? undefined : openedId.value;
  });
  effect(() => {
    if (idOnScreen.value !== undefined) untracked(() => board.look());
  });
  const people = new PeopleModel({ ...deps, noteFailure });
  const customer = new CustomerModel({
    client,
    queue: board.queue,
    queueReads: board.queueReads,
    erased: board.erased,
    isShown: computed(() => screen.value.kind === "desk" && page.value === "customer"),
    noteFailure,
  });
  const alerts = new AlertsModel({
    environment: deps.alerts,
    isPresent: deps.isPresent,
    openedId: () => idOnScreen.peek(),
    open(id) {
      if (screen.peek().kind === "desk") openConversation(id);
    },
  });
  const needing = computed(() => (screen.value.kind === "desk" ? board.needing.value : undefined));

  /** Reads the session again: renews this page's CSRF token, and shows the desk of the person who is signed in now. */
  async function checkWho(): Promise<void> {
    const shown = screen.value;
    if (shown.kind !== "desk") return;
    try {
      const { user } = await client.session();
      if (screen.value !== shown || user.id === shown.user.id) return;
      suspend();
      enter(user);
    } catch (cause) {
      if (isSignedOut(cause) && screen.value === shown) onSignedOut();
    }
  }

  /** Shows the desk after an expired session where the same person has signed in in another window. */
  async function comeBack(): Promise<void> {
    const shown = screen.value;
    if (shown.kind !== "sign-in" || !shown.expired) return;
    const session = await client.session().catch(() => undefined);
    if (session && screen.value === shown && session.user.id === board.me.peek()?.id) enter(session.user);
  }

  const enter = (user: DeskUser): void =>
    // The fragment changes once: it never says that nothing is open while the addressed conversation is being opened.
    batch(() => {
      signOutDoubt.value = undefined;
      screen.value = { kind: "desk", user };
      turnTo(customer.id.peek() === undefined ? "board" : "customer");
      board.begin(user);
      showAddressed(addressed);
      addressed = "";
    });

  const showAddressed = (fragment: string): void =>
    batch(() => {
      const next = parsePageFragment(fragment);
      if (next) show(next);
      const id = parseConversationFragment(fragment);
      if (id === undefined) return;
      show("board");
      // The open one stays as it is: an earlier conversation can still only be read.
      if (id === board.openedId.peek()) board.show("conversation");
      else board.open(id);
      if (fragment.endsWith(DETAILS) && board.columns.peek() < 3) board.show("customer");
    });

  const openConversation = (id: string): void =>
    batch(() => {
      show("board");
      board.open(id);
    });

  function show(next: Page): void {
    customer.open(undefined);
    turnTo(next);
  }

  /** Shows that page. People is for admins; the service decides it too. */
  function turnTo(next: Page): void {
    const shown = screen.peek();
    const isAdmin = shown.kind === "desk" && shown.user.role === "admin";
    people.forget();
    lastPage = page.peek();
    page.value = next === "people" && !isAdmin ? "board" : next;
    if (page.peek() === "people") void people.read();
  }

  /** Shows the right screen: the desk if there is a session, otherwise sign-in, or that nothing answers. */
  async function resume(): Promise<void> {
    screen.value = { kind: "loading" };
    try {
      enter((await client.session()).user);
    } catch (cause) {
      screen.value = isSignedOut(cause) ? { kind: "sign-in", expired: false } : { kind: "unreachable" };
    }
  }

  return {
    screen,
    page,
    /** The page that was left last. */
    lastPage: () => lastPage,
    board,
    people,
    customer,
    setTimer: deps.setTimer,
    now: deps.now,
    /** Days and times in the browser's language. */
    calendar: createCalendar(undefined, deps.now),
    show,
    /** Shows what the address names, otherwise the queue: now, or once somebody is signed in. */
    follow(fragment: string): void {
      const named = parseConversationFragment(fragment) ?? parsePageFragment(fragment);
      customer.open(parseCustomerFragment(fragment));
      addressed = "";
      if (customer.id.peek() !== undefined) turnTo("customer");
      else if (named !== undefined && screen.peek().kind === "desk") showAddressed(fragment);
      else if (named !== undefined) addressed = fragment;
      else {
        turnTo("board");
        board.show("queue");
      }
    },
    /** Shows a conversation, whatever page is open. */
    openConversation,
    /** The fragment of the address: the page or the open conversation, so that a reload and a colleague find it. */
    fragment: computed(() => {
      if (screen.value.kind !== "desk") return undefined;
      const whose = page.value === "customer" ? customer.id.value : undefined;
      if (whose !== undefined) return customerAddress(whose);
      const own = `#${page.value}`;
      if (parsePageFragment(own)) return own;
      // One column shows the queue or the conversation: Back leads from one to the other.
      const isQueueOnly = board.columns.value === 1 && board.view.value === "queue";
      const id = board.openedId.value;
      if (id === undefined || isQueueOnly) return "";
      // The customer's details may take the conversation's place: Back leads from them to it.
      const isDetails = board.columns.value < 3 && board.view.value === "customer";
      return `#conversation=${encodeURIComponent(id)}${isDetails ? DETAILS : ""}`;
    }),
    /** Reads what the one-time link in the address opens, and shows its form. */
    async openLink(token: string): Promise<void> {
      if (screen.value.kind === "desk") suspend();
      screen.value = { kind: "loading" };
      try {
        const offer = await client.openLink(token);
        screen.value = offer.purpose === "first" ? { kind: "set-up", token } : { kind: "join", token, offer };
      } catch (cause) {
        const over = cause instanceof Failure && cause.code === "forbidden";
        screen.value = { kind: "link-failed", token, over };
      }
    },
    /** Sets the password for the link's account, and signs in. Throws the `Failure` for the form to show. */
    async join(form: { password: string }): Promise<void> {
      if (screen.value.kind !== "join") return;
      enter((await client.join({ token: screen.value.token, ...form })).user);
    },
    /** Throws the `Failure` for the form to show. */
    async changePassword(form: { password: string; newPassword: string }): Promise<void> {
      try {
        await client.changePassword(form);
      } catch (cause) {
        throw noteFailure(cause);
      }
    },
    signOutDoubt,
    signingOut,
    alerts,
    /** The board's announcements. The other screens may show no customer's text. */
    said: computed(() => (screen.value.kind === "desk" ? board.said.value : [])),
    title: computed(() => texts.title(needing.value)),
    /** Whether the tab's icon has a mark. */
    isNeeded: computed(() => needing.value !== undefined),
    resume,
    comeBack,
    /** Leaves the form of a link, which can be opened again. */
    offerSignIn(): void {
      screen.value = { kind: "sign-in", expired: false };
    },
    /** Creates the first account and signs in. Throws the `Failure` for the form to show. */
    async setUp(form: { email: string; name: string; password: string }): Promise<void> {
      if (screen.value.kind !== "set-up") return;
      enter((await client.setUp({ token: screen.value.token, ...form })).user);
    },
    /** Throws the `Failure` for the form to show. */
    async signIn(form: { email: string; password: string }): Promise<void> {
      enter((await client.signIn(form)).user);
    },
    /** Leaves the desk only when the service confirmed that the session is gone. */
    async signOut(): Promise<void> {
      if (signingOut.value) return;
      signingOut.value = true;
      signOutDoubt.value = undefined;
      try {
        await client.signOut();
        suspend();
        board.forget();
        customer.open(undefined);
        screen.value = { kind: "sign-in", expired: false };
      } catch (cause) {
        signOutDoubt.value = noteFailure(cause);
      } finally {
        signingOut.value = false;
      }
    },
    /** What signing out or closing the window would lose. */
    unsent: computed((): Unsent | undefined => {
      if (board.replies.value.length > 0) return "reply";
      const isTyped = Object.values(board.drafts.value).some((text) => text.trim() !== "");
      if (isTyped || board.hasFormText.value) return "text";
      return board.files.value.length > 0 ? "file" : undefined;
    }),
  };
});
