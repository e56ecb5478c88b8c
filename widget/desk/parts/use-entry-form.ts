import { useEffect, useRef, useState } from "preact/hooks";
import { Failure } from "../../../shared/errors.ts";

export interface EntryForm<Field extends string> {
  readonly values: Readonly<Record<Field, string>>;
  readonly errors: Readonly<Partial<Record<Field, string>>>;
  /** Why the service did not let it through; told as a sentence by the screen. */
  readonly failure: Failure | undefined;
  readonly busy: boolean;
  readonly formRef: { current: HTMLFormElement | null };
  readonly failureRef: { current: HTMLParagraphElement | null };
  readonly set: (field: Field, value: string) => void;
  readonly submit: (event: Event) => void;
}

/**
 * A form that checks itself, sends once, and takes focus to what is wrong: the first bad field, or the sentence that
 * says why the service refused. What was typed stays.
 */
export function useEntryForm<Field extends string>(
  fields: readonly Field[],
  check: (values: Readonly<Record<Field, string>>) => Partial<Record<Field, string>>,
  send: (values: Readonly<Record<Field, string>>) => Promise<void>,
): EntryForm<Field> {
  const [values, setValues] = useState(
    () => Object.fromEntries(fields.map((field) => [field, ""])) as Record<Field, string>,
  );
  const latest = useRef(values);
  const [errors, setErrors] = useState<Partial<Record<Field, string>>>({});
  const [failure, setFailure] = useState<Failure | undefined>(undefined);
  const [busy, setBusy] = useState(false);
  const formRef = useRef<HTMLFormElement>(null);
  const failureRef = useRef<HTMLParagraphElement>(null);

  useEffect(() => {
    if (failure) failureRef.current?.focus();
  }, [failure]);
  useEffect(() => {
    const first = fields.find((field) => errors[field]);
    if (first) formRef.current?.querySelector<HTMLInputElement>(`#${first}`)?.focus();
  }, [errors]);

  async function run(): Promise<void> {
    setBusy(true);
    setFailure(undefined);
    try {
      await send(latest.current);
    } catch (cause) {
      setFailure(cause instanceof Failure ? cause : new Failure("internal", { cause }));
      setBusy(false);
    }
  }

  return {
    values,
    errors,
    failure,
    busy,
    formRef,
    failureRef,
    set(field, value) {
      // A password manager fills several fields before anything is drawn again: each change builds on the newest.
      latest.current = { ...latest.current, [field]: value };
      setValues(latest.current);
      if (errors[field] && !check(latest.current)[field]) {
        const { [field]: _, ...others } = errors;
        setErrors(others as Partial<Record<Field, string>>);
      }
    },
    submit(event) {
      event.preventDefault();
      if (busy) return;
      const found = check(latest.current);
      setErrors(found);
      if (Object.keys(found).length === 0) void run();
    },
  };
}

/** Good enough to catch a slip; the service has the last word. */
export function looksLikeEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim());
}
