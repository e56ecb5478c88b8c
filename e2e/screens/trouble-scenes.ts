import { json, problem, type Scene } from "./visit.ts";

/** What a customer sees when signing in, or the service, fails. */
export const TROUBLES: readonly Scene[] = [
  {
    name: "identity-failed",
    settings: () => ({ identityUrl: "/chat-identity" }),
    answers: { "POST /api/session": problem(401, "identity_bad_signature") },
    act: async (visit) => {
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
    name: "one-way-service",
    capabilities: [],
    act: (visit) => visit.frame.getByText(visit.names.statusOneWay).waitFor(),
  },
];
