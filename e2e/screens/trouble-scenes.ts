import { answered, sees } from "./conversations.ts";
import { json, problem, type Scene } from "./visit.ts";

/** The panel when signing in, or the service, fails. */
export const TROUBLES: readonly Scene[] = [
  {
    name: "identity-failed",
    settings: () => ({ identityUrl: "/chat-identity" }),
    answers: {
      "GET /chat-identity": (route) => route.fulfill({ body: "a.token.of-another-key" }),
      "POST /api/session": problem(401, "identity_bad_signature"),
    },
    act: async (visit) => {
      await sees(visit, visit.names.problem_identity_expired);
      await visit.frame.getByRole("button", { name: visit.names.stayAnonymous }).waitFor();
    },
  },
  {
    name: "identity-unavailable",
    settings: () => ({ identityUrl: "/chat-identity" }),
    answers: { "GET /chat-identity": (route) => route.fulfill({ status: 500 }) },
    act: async (visit) => {
      await sees(visit, visit.names.problem_identity_unavailable);
      await visit.frame.getByRole("button", { name: visit.names.stayAnonymous }).waitFor();
    },
  },
  {
    name: "unreachable-fallback",
    answers: {
      "POST /api/session": problem(503, "support_unreachable"),
      "GET /api/config": json(200, {
        version: "0",
        siteId: "parley",
        identityPolicy: "optional",
        fallback: { kind: "mail", href: "mailto:help@lamps.example" },
      }),
    },
    act: async (visit) => {
      await visit.write(visit.words.question);
      await visit.frame.getByRole("link", { name: visit.names.fallback_mail }).waitFor();
    },
  },
  {
    name: "conversation-lost",
    conversation: (words) => ({ messages: answered(words) }),
    answers: { "DELETE /api/conversation": problem(404, "no_conversation") },
    act: async (visit) => {
      await visit.press(visit.names.endConversation);
      await visit.frame.getByRole("alertdialog").getByRole("button").first().click();
      await visit.frame.getByRole("button", { name: visit.names.startNew }).waitFor();
    },
  },
  {
    name: "broken-panel",
    conversation: (words) => ({ messages: answered(words) }),
    act: async (visit) => {
      await sees(visit, visit.words.source);
      await visit.frame.getByRole("textbox", { name: visit.names.message }).fill(visit.words.neighbour);
      // The component of the next message throws.
      await visit.frame.locator("body").evaluate(() => {
        const { map } = Array.prototype;
        Array.prototype.map = () => {
          Array.prototype.map = map;
          throw new Error("broken on purpose");
        };
      });
      visit.stage.say({ role: "agent", body: visit.words.thanks });
      await visit.frame.getByRole("button", { name: visit.names.reloadChat }).waitFor();
    },
  },
  {
    name: "one-way-service",
    capabilities: [],
    act: (visit) => visit.frame.getByText(visit.names.statusOneWay).waitFor(),
  },
];
