import controlsStyles from "../css/controls.module.css";
import entryStyles from "../css/entry.module.css";
import { useDesk } from "../desk-context.ts";
import { texts } from "../texts.ts";

/** Leads from a link's form to the sign-in: the link may have been used already. */
export function HaveAccount() {
  const desk = useDesk();
  return (
    <p class={entryStyles.entryFoot}>
      {texts.haveAccount}{" "}
      <button type="button" class={controlsStyles.linkButton} onClick={() => desk.offerSignIn()}>
        {texts.signInButton}
      </button>
    </p>
  );
}
