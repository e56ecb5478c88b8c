import { useSignal } from "@preact/signals";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { EMAIL_ADDRESS } from "../../shared/email-address.ts";
import type { ContactModel } from "../app/contact-model.ts";
import buttonStyles from "../elements/button.module.css";
import { isComposing } from "../elements/is-composing.ts";
import styles from "./contact-offer.module.css";
import { usePanel } from "./panel-context.ts";
import { Problem } from "./problem.tsx";
import prominentStyles from "./prominent-button.module.css";

/** Isolates the address: in a text from right to left it stays in one piece. */
const isolated = (email: string) => `\u2068${email}\u2069`;

/** Offers to take an e-mail address, once; then says which one the service verifiably has, and lets it be changed. */
export function ContactOffer({ contact }: { readonly contact: ContactModel }) {
  const { texts } = usePanel();
  const { isOpen } = contact;
  const root = useRef<HTMLDivElement>(null);
  const isPressed = useRef(false);
  // After it left the screen, as at the end of the conversation, it opens only when it is pressed again.
  useLayoutEffect(
    () => () => {
      isOpen.value = false;
    },
    [isOpen],
  );
  const press = (next: boolean) => {
    isPressed.current = true;
    isOpen.value = next;
  };
  useLayoutEffect(() => {
    // The pressed button is gone, so the focus moves to its replacement, unless the customer has gone on elsewhere.
    if (isPressed.current && (isOpen.value || document.activeElement === document.body))
      root.current?.querySelector<HTMLElement>("input, button")?.focus();
    isPressed.current = false;
  });
  const stored = contact.stored.value;
  return (
    <div class={styles.contact} ref={root}>
      {isOpen.value ? (
        <ContactForm contact={contact} onClose={() => press(false)} />
      ) : (
        <>
          {stored !== null && <p>{texts.contactStored(isolated(stored))}</p>}
          <button type="button" class={`${buttonStyles.quiet} ${styles.open}`} onClick={() => press(true)}>
            {stored === null ? texts.contactOffer : texts.contactChange}
          </button>
        </>
      )}
    </div>
  );
}

function ContactForm({ contact, onClose }: { contact: ContactModel; onClose: () => void }) {
  const { chat, texts } = usePanel();
  const stored = contact.stored.value;
  const email = useSignal(stored ?? "");
  const isInvalid = useSignal(false);
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const request = contact.request.value;
  const isAsking = request.kind === "asking";
  const set = async (wanted: string | null) => {
    const { value } = email;
    // The customer may be writing another address by now, here or in a form that they opened later.
    if ((await contact.set(wanted)) && input.current && email.value === value) onClose();
  };
  const send = () => {
    const wanted = email.value.trim();
    isInvalid.value = !EMAIL_ADDRESS.test(wanted);
    if (!isInvalid.value) return void set(wanted);
    chat.report({ type: "said", isUrgent: true, words: (words) => words.contactInvalid });
    input.current?.focus();
  };
  const fault = isInvalid.value ? (
    texts.contactInvalid
  ) : request.kind === "failed" ? (
    <>
      {texts.sentence(texts.notConfirmed)} <Problem failure={request.failure} />
    </>
  ) : undefined;
  return (
    <form
      noValidate
      onKeyDown={(event) => {
        if (event.key !== "Escape" || isComposing(event)) return;
        event.preventDefault();
        onClose();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isAsking) send();
      }}
    >
      <label for={id} id={`${id}-label`}>
        {texts.contactOffer}
      </label>
      <input
        id={id}
        ref={input}
        type="email"
        dir="ltr"
        autocomplete="email"
        maxLength={254}
        placeholder="name@example.com"
        value={email.value}
        aria-invalid={isInvalid.value}
        aria-describedby={fault && `${id}-fault`}
        onInput={({ currentTarget }) => {
          email.value = currentTarget.value;
          isInvalid.value = false;
        }}
      />
      {fault && (
        <p id={`${id}-fault`} class={styles.fault}>
          {fault}
        </p>
      )}
      <div class={styles.actions}>
        <button
          type="submit"
          id={`${id}-send`}
          class={prominentStyles.outline}
          // The composer has a button of the same word.
          aria-labelledby={`${id}-send ${id}-label`}
          aria-disabled={isAsking}
        >
          {isAsking ? texts.sending : request.kind === "failed" ? texts.retry : texts.send}
        </button>
        <button type="button" class={buttonStyles.quiet} onClick={onClose}>
          {texts.cancel}
        </button>
        {stored !== null && (
          <button type="button" class={buttonStyles.quiet} onClick={() => void set(null)}>
            {texts.contactRemove(isolated(stored))}
          </button>
        )}
      </div>
    </form>
  );
}
