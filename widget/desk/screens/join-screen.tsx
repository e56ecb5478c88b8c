import type { LinkOffer } from "../../../shared/desk.ts";
import type { Failure } from "../../../shared/errors.ts";
import entryStyles from "../css/entry.module.css";
import { useDesk } from "../desk-context.ts";
import { faultOfNewPassword, NewPasswordField } from "../parts/account-fields.tsx";
import { EntryCard } from "../parts/entry-card.tsx";
import { EntryFields, sentenceOf } from "../parts/entry-fields.tsx";
import { HaveAccount } from "../parts/have-account.tsx";
import { MainButton } from "../parts/main-button.tsx";
import { useEntryForm } from "../parts/use-entry-form.ts";
import { peopleTexts } from "../people-texts.ts";
import { texts } from "../texts.ts";

/** A password for an account that an admin created, or created a new link for. */
export function JoinScreen({ offer }: { offer: LinkOffer }) {
  const desk = useDesk();
  const { email = "", name = "", purpose } = offer;
  const form = useEntryForm(["password"], check, (values) => desk.join(values));
  const isReset = purpose === "reset";
  return (
    <EntryCard
      title={isReset ? peopleTexts.resetTitle : peopleTexts.joinTitle(name)}
      body={isReset ? peopleTexts.resetBody : peopleTexts.joinBody}
    >
      <EntryFields
        form={form}
        sentence={sentence}
        button={peopleTexts.joinButton}
        busyButton={peopleTexts.joinBusy}
      >
        <p class={entryStyles.entryAddress}>
          <bdi>{email}</bdi>
        </p>
        {/* Password managers store the password under this address. */}
        <input type="email" name="email" value={email} autocomplete="username" readOnly hidden />
        <NewPasswordField form={form} field="password" />
      </EntryFields>
      <HaveAccount />
    </EntryCard>
  );
}

/** The service said that the link is no longer valid. */
export function LinkOverScreen() {
  const desk = useDesk();
  return (
    <EntryCard title={peopleTexts.linkOverTitle} body={peopleTexts.linkOverBody}>
      <MainButton onClick={() => void desk.resume()}>{texts.signInButton}</MainButton>
    </EntryCard>
  );
}

function check({ password }: { password: string }) {
  return faultOfNewPassword("password", password);
}

function sentence(failure: Failure): string {
  return failure.code === "forbidden"
    ? peopleTexts.linkOverBody
    : sentenceOf(failure, peopleTexts.joinFailed);
}
