import { batch, createModel, signal } from "@preact/signals";
import type { DeskAuditEntry, DeskLinkMade, DeskPerson } from "../../shared/desk.ts";
import type { Failure } from "../../shared/errors.ts";
import type { DeskClient } from "./desk-client.ts";
import type { Reading } from "./reading.ts";

export type PersonAction = "newLink" | "disable" | "enable";

/** A refused or unconfirmed action on somebody's account. */
export interface PersonDoubt {
  readonly personId: string;
  readonly action: PersonAction;
  readonly failure: Failure;
}

/** A link that was just created. It is stored nowhere else: when it is closed, it is gone. */
export interface MadeLink {
  readonly name: string;
  readonly url: string;
  readonly expiresAt: string;
}

export interface PeopleModelDeps {
  readonly client: DeskClient;
  readonly deskUrl: string;
  readonly copy: (text: string) => Promise<void>;
  /** Called with whatever a call of the service threw. */
  readonly noteFailure: (cause: unknown) => Failure;
}

export type PeopleModel = InstanceType<typeof PeopleModel>;

/** The people of the desk and their activity, for an admin. Nothing unconfirmed is shown as done. */
export const PeopleModel = createModel((deps: PeopleModelDeps) => {
  const { client, noteFailure } = deps;
  const people = signal<readonly DeskPerson[]>([]);
  const reading = signal<Reading>("reading");
  const entries = signal<readonly DeskAuditEntry[]>([]);
  const older = signal<string | undefined>(undefined);
  const auditReading = signal<Reading>("reading");
  const made = signal<MadeLink | undefined>(undefined);
  const copied = signal<"yes" | "no" | undefined>(undefined);
  const busy = signal<string | undefined>(undefined);
  const doubt = signal<PersonDoubt | undefined>(undefined);
  let generation = 0;

  /** Reads data that counts only while the page that requested it is open. */
  async function look<Answer>(
    state: { value: Reading },
    ask: () => Promise<Answer>,
    show: (answer: Answer) => void,
  ): Promise<void> {
    const asked = generation;
    try {
      const answer = await ask();
      if (asked !== generation) return;
      batch(() => {
        show(answer);
        state.value = "ready";
      });
    } catch (cause) {
      const { code } = noteFailure(cause);
      if (asked === generation) state.value = code;
    }
  }

  const readPeople = () =>
    look(
      reading,
      () => client.people(),
      (answer) => {
        people.value = answer;
      },
    );

  function readAudit(before?: string): Promise<void> {
    return look(
      auditReading,
      () => client.audit(before),
      (page) => {
        entries.value = before === undefined ? page.entries : [...entries.value, ...page.entries];
        older.value = page.next;
      },
    );
  }

  async function read(): Promise<void> {
    await Promise.all([readPeople(), readAudit()]);
  }

  function showLink({ person, token, expiresAt }: DeskLinkMade): void {
    batch(() => {
      copied.value = undefined;
      made.value = { name: person.name, url: `${deps.deskUrl}#setup=${token}`, expiresAt };
    });
  }

  async function act(personId: string, action: PersonAction, confirm: () => Promise<unknown>): Promise<void> {
    if (busy.value !== undefined) return;
    const asked = generation;
    busy.value = personId;
    doubt.value = undefined;
    try {
      await confirm();
    } catch (cause) {
      const failure = noteFailure(cause);
      if (asked === generation) doubt.value = { personId, action, failure };
    } finally {
      busy.value = undefined;
    }
    // An unconfirmed action may have happened: the list decides.
    if (asked === generation) await read();
  }

  return {
    people,
    reading,
    entries,
    older,
    auditReading,
    made,
    copied,
    busy,
    doubt,
    read,
    readAgain(): void {
      reading.value = "reading";
      auditReading.value = "reading";
      void read();
    },
    readOlder(): void {
      if (older.value === undefined || auditReading.value === "reading") return;
      auditReading.value = "reading";
      void readAudit(older.value);
    },
    /** Throws the `Failure` for the form to show. */
    async invite(form: { email: string; name: string; role: DeskPerson["role"] }): Promise<void> {
      const asked = generation;
      try {
        const link = await client.invite(form);
        if (asked === generation) showLink(link);
      } catch (cause) {
        throw noteFailure(cause);
      } finally {
        if (asked === generation) void read();
      }
    },
    newLink: (id: string) =>
      act(id, "newLink", async () => {
        const asked = generation;
        const link = await client.newLink(id);
        if (asked === generation) showLink(link);
      }),
    disable: (id: string) => act(id, "disable", () => client.setDisabled(id, true)),
    enable: (id: string) => act(id, "enable", () => client.setDisabled(id, false)),
    async copyLink(): Promise<void> {
      const link = made.value;
      if (!link) return;
      const result = await deps.copy(link.url).then(
        () => "yes" as const,
        () => "no" as const,
      );
      if (made.value === link) copied.value = result;
    },
    putLinkAway(): void {
      made.value = undefined;
      copied.value = undefined;
    },
    /** Clears everything, especially a link that was just created. */
    forget(): void {
      generation += 1;
      batch(() => {
        people.value = [];
        entries.value = [];
        older.value = undefined;
        reading.value = "reading";
        auditReading.value = "reading";
        made.value = undefined;
        copied.value = undefined;
        doubt.value = undefined;
      });
    },
  };
});
