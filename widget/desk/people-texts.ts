import type { DeskPerson } from "../../shared/desk.ts";

/** Every text of the pages about the desk's own people. */
export const peopleTexts = {
  navLabel: "Desk",
  board: "Conversations",
  people: "People",
  account: "Your account",

  joinTitle: (name: string) => `Welcome, ${name}`,
  joinBody: "Choose a password. You'll sign in with it and this e-mail address:",
  resetTitle: "Choose a new password",
  resetBody: "Your old password no longer works. You sign in with this e-mail address:",
  joinButton: "Save password and sign in",
  joinBusy: "Saving…",
  joinFailed: "We couldn't confirm your new password.",
  linkOverTitle: "This link no longer works",
  linkOverBody:
    "A link works once, for 24 hours. If you chose your password with it, sign in. Otherwise ask a desk admin for a new one.",

  peopleBody: "Who can use this desk. New people need an invite link from you.",
  listTitle: "Accounts",
  inviteTitle: "Invite someone",
  emailHint: "Used only to sign in. We won't e-mail them.",
  nameHint: "Customers see this when they reply.",
  roleLabel: "Role",
  role: { agent: "Team member", admin: "Admin" } satisfies Record<DeskPerson["role"], string>,
  roleHint: {
    agent: "Can read and reply to conversations.",
    admin: "Can also invite and disable people, and read the activity log.",
  } satisfies Record<DeskPerson["role"], string>,
  inviteButton: "Create invite link",
  inviteBusy: "Creating the link…",
  inviteFailed: "We couldn't confirm the invitation. Check the list before you try again.",
  you: "you",
  state: {
    invited: "Invited",
    active: "Active",
    disabled: "Disabled",
  } satisfies Record<DeskPerson["state"], string>,
  noLink: "No working link",
  linkUntil: (time: string) => `Link expires ${time}`,
  newLink: "New link",
  resetPassword: "Reset password",
  disable: "Disable",
  enable: "Enable",
  cancel: "Cancel",
  ask: {
    newLink: (name: string) =>
      `Reset the password of ${name}? They are signed out everywhere, and can only sign in with the new link.`,
    disable: (name: string) =>
      `Disable ${name}? They are signed out at once, and their conversations go back to the queue.`,
  },
  yes: { newLink: "Reset and create link", disable: "Disable now" },
  doubt: {
    newLink: "We couldn't confirm the new link.",
    disable: "We couldn't confirm the change. They may still be able to sign in.",
    enable: "We couldn't confirm the change.",
  },
  peopleLoading: "Loading the list…",
  peopleFailed: "We couldn't load the list.",

  madeTitle: (name: string) => `Link for ${name}`,
  madeBody: (time: string) =>
    `Share it yourself; we don't e-mail it. It works once, until ${time}, and won't be shown again.`,
  madeLabel: "One-time link",
  copy: "Copy link",
  copied: "Copied",
  copyFailed: "Your browser didn't allow copying. Select the link and copy it.",
  madeDone: "Done",

  auditTitle: "Activity log",
  auditBody: "Who did what and when, newest first. Message text is never shown here.",
  auditEmpty: "No activity yet.",
  auditLoading: "Loading the activity log…",
  auditFailed: "We couldn't load the activity log.",
  auditMore: "Show older",
  auditOther: (by: string) => `${by} did something that this version of the desk can't describe`,
  nobody: "Someone",
  somebody: "someone",

  passwordTitle: "Change your password",
  passwordBody: "This signs you out everywhere else.",
  present: "Current password",
  next: "New password",
  passwordButton: "Change password",
  passwordBusy: "Changing…",
  passwordChanged: "Your password was changed. You're signed out everywhere else.",
  passwordFailed: "We couldn't confirm the new password. Sign in elsewhere to see which one works.",
};

/** The sentence of each action in the audit log. */
const DONE: Readonly<Record<string, (by: string, target: string) => string>> = {
  "desk.setup": (by) => `${by} set up the desk`,
  "desk.login": (by) => `${by} signed in`,
  "desk.logout": (by) => `${by} signed out`,
  "desk.login_failed": (_, target) => `A wrong password was entered for ${target}`,
  "desk.user_invited": (by, target) => `${by} invited ${target}`,
  "desk.link_renewed": (by, target) => `${by} reset the password of ${target}`,
  "desk.link_by_operator": (_, target) => `An operator created a new link for ${target}`,
  "desk.link_used": (by) => `${by} chose a password with their link`,
  "desk.user_disabled": (by, target) => `${by} disabled ${target}`,
  "desk.user_enabled": (by, target) => `${by} enabled ${target}`,
  "desk.password_changed": (by) => `${by} changed their password`,
  "conversation.take": (by) => `${by} took a conversation`,
  "conversation.reply": (by) => `${by} replied to a customer`,
  "conversation.reply_from_draft": (by) => `${by} replied to a customer with the AI agent's draft`,
  "conversation.return": (by) => `${by} handed a conversation back to the AI agent`,
  "conversation.resolve": (by) => `${by} resolved a conversation`,
  "conversation.action_allowed": (by) => `${by} allowed an action of the AI agent`,
  "conversation.action_refused": (by) => `${by} refused an action of the AI agent`,
  "customer.described": (by) => `${by} changed the name or address of a customer`,
  "conversation.join": (by) => `${by} took a conversation from the AI agent`,
  "conversation.reopen": (by) => `${by} reopened a conversation`,
  "conversation.purged": () => "A conversation was deleted by the retention rule",
  "conversation.erased": () => "A customer deleted their conversation",
  "conversation.erased_with_customer": () => "A conversation was deleted with its customer's data",
  "customer.erased": () => "An operator deleted all data of a customer",
};

/** Describes one entry of the audit log; its time is shown next to it. */
export function auditSentence(entry: {
  readonly action: string;
  readonly by?: { readonly name: string } | undefined;
  readonly targetName?: string | undefined;
}): string {
  const by = entry.by?.name || peopleTexts.nobody;
  const target = entry.targetName || peopleTexts.somebody;
  const say = Object.hasOwn(DONE, entry.action) ? DONE[entry.action] : undefined;
  return say ? say(by, target) : peopleTexts.auditOther(by);
}
