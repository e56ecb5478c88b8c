import type { DeskPerson } from "../../shared/desk.ts";

/** Every sentence of the pages about the desk's own people. */
export const peopleTexts = {
  navLabel: "Desk",
  board: "Conversations",
  people: "People",
  account: "Your account",

  joinTitle: (name: string) => `Welcome, ${name}`,
  joinBody: "Choose a password. After that you sign in with it and with this address:",
  resetTitle: "Choose a new password",
  resetBody: "The one before does not work any more. You sign in with this address:",
  joinButton: "Save password and sign in",
  joinBusy: "Saving…",
  joinFailed: "The password could not be confirmed as saved.",
  linkOverTitle: "This link is not valid any more",
  linkOverBody: "It works once, for 24 hours. Ask an admin of the desk for a new one.",

  peopleBody: "Who may sit at this desk. Nobody gets in without a link that you give them.",
  listTitle: "Who has an account",
  inviteTitle: "Invite somebody",
  emailHint: "They sign in with it. No mail goes there.",
  nameHint: "Customers see it when they answer.",
  roleLabel: "May do",
  role: { agent: "Answers customers", admin: "Also looks after people" } satisfies Record<
    DeskPerson["role"],
    string
  >,
  roleHint: {
    agent: "Reads and answers conversations.",
    admin: "Can invite and disable people, and read what happened.",
  } satisfies Record<DeskPerson["role"], string>,
  inviteButton: "Make a link",
  inviteBusy: "Making the link…",
  inviteFailed: "The invitation could not be confirmed. Look at the list before you try again.",
  you: "you",
  state: {
    invited: "Has not used the link yet",
    active: "Can sign in",
    disabled: "Disabled",
  } satisfies Record<DeskPerson["state"], string>,
  noLink: "Has no link that works",
  linkUntil: (time: string) => `Link works until ${time}`,
  newLink: "New link",
  disable: "Disable",
  enable: "Enable",
  cancel: "Keep as it is",
  ask: {
    newLink: (name: string) =>
      `A new link for ${name}? The present password and every session end at once; only the link lets them in.`,
    disable: (name: string) =>
      `Disable ${name}? They are signed out at once, and the customers they have go back to the queue.`,
  },
  yes: { newLink: "End the password, make a link", disable: "Disable now" },
  doubt: {
    newLink: "A new link could not be confirmed.",
    disable: "Disabling could not be confirmed. They may still be able to sign in.",
    enable: "Enabling could not be confirmed.",
  },
  peopleLoading: "Reading the list…",
  peopleFailed: "The list could not be read.",

  madeTitle: (name: string) => `Link for ${name}`,
  madeBody: (time: string) =>
    `Give it to them yourself, no mail is sent. It works once, until ${time}, and is not shown again.`,
  madeLabel: "One-time link",
  copy: "Copy link",
  copied: "Copied",
  copyFailed: "The browser did not allow copying. Select the link and copy it by hand.",
  madeDone: "I have it",

  auditTitle: "What happened",
  auditBody: "Who did what, newest first. Never what was written.",
  auditEmpty: "Nothing yet.",
  auditLoading: "Reading what happened…",
  auditFailed: "What happened could not be read.",
  auditMore: "Show older",
  nobody: "Somebody unknown",
  somebody: "somebody",

  passwordTitle: "Change your password",
  passwordBody: "Every other place where you are signed in is signed out.",
  present: "Present password",
  next: "New password",
  passwordButton: "Change password",
  passwordBusy: "Changing…",
  passwordChanged: "Your password is changed. You are signed out everywhere else.",
  passwordFailed: "Changing the password could not be confirmed. Sign in elsewhere to see which one works.",
};

/** What an entry of the audit log says, for a person; an action that we don't know is shown by its own word. */
const DONE: Readonly<Record<string, (by: string, target: string) => string>> = {
  "desk.setup": (by) => `${by} set up the desk`,
  "desk.login": (by) => `${by} signed in`,
  "desk.logout": (by) => `${by} signed out`,
  "desk.login_failed": (_, target) => `A wrong password was entered for ${target}`,
  "desk.user_invited": (by, target) => `${by} invited ${target}`,
  "desk.link_renewed": (by, target) => `${by} made a new link for ${target}`,
  "desk.link_by_operator": (_, target) => `Whoever runs the service made a new link for ${target}`,
  "desk.link_used": (by) => `${by} chose a password with their link`,
  "desk.user_disabled": (by, target) => `${by} disabled ${target}`,
  "desk.user_enabled": (by, target) => `${by} enabled ${target}`,
  "desk.password_changed": (by) => `${by} changed their password`,
  "conversation.take": (by) => `${by} took a conversation`,
  "conversation.reply": (by) => `${by} answered a customer`,
  "conversation.return": (by) => `${by} handed a conversation back to the agent`,
  "conversation.resolve": (by) => `${by} resolved a conversation`,
};

/** The sentence of one entry. */
export function auditSentence(entry: {
  readonly action: string;
  readonly by?: { readonly name: string } | undefined;
  readonly targetName?: string | undefined;
}): string {
  const by = entry.by?.name || peopleTexts.nobody;
  const target = entry.targetName || peopleTexts.somebody;
  const say = Object.hasOwn(DONE, entry.action) ? DONE[entry.action] : undefined;
  return say ? say(by, target) : `${by}: ${entry.action}`;
}
