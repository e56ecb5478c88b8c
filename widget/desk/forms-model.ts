import { computed, createModel, signal } from "@preact/signals";

/** The fields of a form as the person left them, and as they found them. */
export interface UnsentForm<Field extends string = string> {
  readonly before: Readonly<Record<Field, string>>;
  readonly values: Readonly<Record<Field, string>>;
}

const FACTS = "facts ";

export type FormsModel = InstanceType<typeof FormsModel>;

/** Half-filled forms by name, so that another page, another conversation and a session that ends lose no text. */
export const FormsModel = createModel(() => {
  const forms = signal<Readonly<Record<string, UnsentForm>>>({});
  return {
    formOf: (name: string): UnsentForm | undefined => forms.peek()[name],
    /** What the person changed in it. */
    textsOf(name: string): string[] {
      const form = forms.value[name];
      return form ? changedTexts(form) : [];
    },
    /** The conversations with a half-filled form of facts. */
    conversationsOfForms: (): string[] =>
      Object.keys(forms.peek()).flatMap((name) => (name.startsWith(FACTS) ? [name.slice(FACTS.length)] : [])),
    storeForm(name: string, form: UnsentForm): void {
      forms.value = { ...forms.peek(), [name]: form };
    },
    /** It was sent or cancelled, or what it is about is gone. */
    dropForm(name: string): void {
      const { [name]: _, ...others } = forms.peek();
      forms.value = others;
    },
    clearForms(): void {
      forms.value = {};
    },
    hasFormText: computed(() => Object.values(forms.value).some((form) => changedTexts(form).length > 0)),
  };
});

/** The name of the form with the facts that the team types about the customer of a conversation. */
export function factsForm(conversationId: string): string {
  return FACTS + conversationId;
}

function changedTexts({ before, values }: UnsentForm): string[] {
  return Object.entries(values).flatMap(([field, value]) => (value === before[field] ? [] : [value]));
}
