import type { DeskUser } from "../../../shared/desk.ts";
import peopleStyles from "../css/people.module.css";
import { useDesk } from "../desk-context.ts";
import { AuditList } from "../parts/audit-list.tsx";
import { InviteForm } from "../parts/invite-form.tsx";
import { MadeLinkBox } from "../parts/made-link-box.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { PersonRow } from "../parts/person-row.tsx";
import { ReadFailed } from "../parts/read-failed.tsx";
import { peopleTexts } from "../people-texts.ts";
import { hasFailed } from "../reading.ts";

/** The people who can use the desk, their invitations, and the activity log. For admins. */
export function PeoplePage({ me }: { me: DeskUser }) {
  const { people } = useDesk();
  const made = people.made.value;
  return (
    <main class={peopleStyles.page}>
      <PageHead title={peopleTexts.people} body={peopleTexts.peopleBody} />
      {made && <MadeLinkBox key={made.url} made={made} />}
      <section class={peopleStyles.card} aria-labelledby="people-list">
        <h2 id="people-list">{peopleTexts.listTitle}</h2>
        <PeopleList me={me} />
      </section>
      <section class={peopleStyles.card} aria-labelledby="people-invite">
        <h2 id="people-invite">{peopleTexts.inviteTitle}</h2>
        <InviteForm />
      </section>
      <AuditList />
    </main>
  );
}

function PeopleList({ me }: { me: DeskUser }) {
  const { people } = useDesk();
  const reading = people.reading.value;
  const list = people.people.value;
  if (hasFailed(reading)) {
    return <ReadFailed reading={reading} sentence={peopleTexts.peopleFailed} onTryAgain={people.readAgain} />;
  }
  if (list.length === 0) return <p class={peopleStyles.cardBody}>{peopleTexts.peopleLoading}</p>;
  return (
    <ul class={peopleStyles.people}>
      {list.map((person) => (
        <PersonRow key={person.id} person={person} isMe={person.id === me.id} />
      ))}
    </ul>
  );
}
