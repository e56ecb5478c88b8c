import type { DeskAuditEntry, DeskLinkMade, DeskPerson } from "../../../shared/desk.ts";
import { at } from "./samples.ts";

const answer = (body: unknown, status = 200) => Response.json(body, { status });

/** The people's part of the scripted service: matches the schemas, and uses the list in `state`. */
export function createScriptedPeople(state: { people: DeskPerson[] }) {
  const entries: DeskAuditEntry[] = [];
  let count = 0;
  const note = (action: string, person: DeskPerson) => {
    count += 1;
    const by = { id: "usr_sam", name: "Sam Okafor" };
    entries.unshift({
      id: `audit_${count}`,
      at: at(count),
      action,
      by,
      target: person.id,
      targetName: person.name,
    });
    return person;
  };
  const put = (person: DeskPerson) => {
    state.people = [...state.people.filter(({ id }) => id !== person.id), person];
    return person;
  };
  const made = (person: DeskPerson): Response => {
    const link: DeskLinkMade = { person, token: `secret-${count}`, expiresAt: at(24 * 60) };
    return answer(link, 201);
  };

  return (route: string, body: unknown): Response | undefined => {
    if (route === "GET /users") return answer({ users: state.people });
    if (route.startsWith("GET /audit")) return answer({ entries });
    if (route === "POST /users") {
      const { email, name, role } = body as Pick<DeskPerson, "email" | "name" | "role">;
      const person = {
        id: `usr_${count + 1}`,
        email: email.toLowerCase(),
        name,
        role,
        state: "invited" as const,
      };
      return made(note("desk.user_invited", put({ ...person, linkExpiresAt: at(24 * 60) })));
    }
    const [, id, action] = /^POST \/users\/([^/]+)\/(\w+)$/.exec(route) ?? [];
    const person = state.people.find((each) => each.id === id);
    if (!person) return undefined;
    if (action === "link") return made(note("desk.link_renewed", put({ ...person, state: "invited" })));
    if (action === "disable")
      return answer({ user: note("desk.user_disabled", put({ ...person, state: "disabled" })) });
    return answer({ user: note("desk.user_enabled", put({ ...person, state: "active" })) });
  };
}
