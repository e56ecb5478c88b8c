import type { DeskUser } from "../../../shared/desk.ts";
import controlsStyles from "../css/controls.module.css";
import peopleStyles from "../css/people.module.css";
import { useDesk } from "../desk-context.ts";
import { failureText } from "../failure-texts.ts";
import { AuditList } from "../parts/audit-list.tsx";
import { InviteForm } from "../parts/invite-form.tsx";
import { MadeLinkBox } from "../parts/made-link-box.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { PersonRow } from "../parts/person-row.tsx";
import { peopleTexts } from "../people-texts.ts";
import { texts } from "../texts.ts";

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
  if (reading !== "reading" && reading !== "ready") {
    return (
      <div class={`${controlsStyles.banner} ${controlsStyles.bannerDoubt}`} role="alert">
        <p>
          {peopleTexts.peopleFailed} {failureText(reading)}
        </p>
        <button type="button" class={controlsStyles.button} onClick={() => people.readAgain()}>
          {texts.tryAgain}
        </button>
      </div>
    );
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
