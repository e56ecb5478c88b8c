import { computed, createModel, signal } from "@preact/signals";

/** The fields of a form as the person left them, and as they found them. */
export interface UnsentForm<Field extends string = string> {
  readonly before: Readonly<Record<Field, string>>;
  readonly values: Readonly<Record<Field, string>>;
}

export type FormsModel = InstanceType<typeof FormsModel>;

/** Half-filled forms by name, so that another page, another conversation and a session that ends lose no text. */
export const FormsModel = createModel(() => {
  const forms = signal<Readonly<Record<string, UnsentForm>>>({});
  return {
    formOf: (name: string): UnsentForm | undefined => forms.peek()[name],
    /** What the person changed in it. */
    textsOf(name: string): string[] {
      const { before, values } = forms.value[name] ?? { before: {}, values: {} };
      return Object.entries(values).flatMap(([field, value]) => (value === before[field] ? [] : [value]));
    },
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
    hasFormText: computed(() =>
      Object.values(forms.value).some(({ before, values }) =>
        Object.entries(values).some(([field, value]) => value !== before[field]),
      ),
    ),
  };
});

/** The name of the form with the facts that the team types about the customer of a conversation. */
export function factsForm(conversationId: string): string {
  return `facts ${conversationId}`;
}
