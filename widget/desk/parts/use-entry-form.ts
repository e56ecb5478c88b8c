import { useEffect, useRef, useState } from "preact/hooks";
import type { Failure } from "../../../shared/errors.ts";
import { failureFrom } from "../desk-calls.ts";
import { useDesk } from "../desk-context.ts";
import type { UnsentForm } from "../forms-model.ts";

export type EntryForm<Field extends string> = ReturnType<typeof useEntryForm<Field>>;

interface EntryFormOptions<Field extends string> {
  /** Its text is stored under this name. */
  readonly name?: string;
  readonly initial?: Readonly<Partial<Record<Field, string>>>;
  readonly onSent?: () => void;
}

/**
 * A form that validates itself, sends once, and moves focus to the fault: the first invalid field, or the service's
 * reason for refusing. The typed text stays; with `name` also while another page is shown, until it is sent.
 */
export function useEntryForm<Field extends string>(
  fields: readonly Field[],
  check: (values: Readonly<Record<Field, string>>) => Partial<Record<Field, string>>,
  send: (values: Readonly<Record<Field, string>>, before: Readonly<Record<Field, string>>) => Promise<void>,
  { name, initial, onSent }: EntryFormOptions<Field> = {},
) {
  const { board } = useDesk();
  const [start] = useState(() => {
    const stored = name === undefined ? undefined : board.formOf(name);
    const before = Object.fromEntries(fields.map((field) => [field, initial?.[field] ?? ""]));
    return (stored ?? { before, values: before }) as UnsentForm<Field>;
  });
  const [values, setValues] = useState(start.values);
  const latest = useRef(values);
  const [errors, setErrors] = useState<Partial<Record<Field, string>>>({});
  /** The faults of the last submission. Those that disappear while somebody types must not move the focus. */
  const [refused, setRefused] = useState(errors);
  const [failure, setFailure] = useState<Failure | undefined>(undefined);
  const [busy, setBusy] = useState(false);
  const formRef = useRef<HTMLFormElement>(null);
  const failureRef = useRef<HTMLParagraphElement>(null);

  useEffect(() => {
    if (failure) failureRef.current?.focus();
  }, [failure]);
  useEffect(() => {
    const first = fields.find((field) => refused[field]);
    if (first) formRef.current?.querySelector<HTMLInputElement>(`#${first}`)?.focus();
  }, [refused]);

  async function run(): Promise<void> {
    setBusy(true);
    setFailure(undefined);
    try {
      const sent = latest.current;
      await send(sent, start.before);
      // The form may have been left and opened again, and changed.
      if (name !== undefined && board.formOf(name)?.values === sent) board.dropForm(name);
      onSent?.();
    } catch (cause) {
      setFailure(failureFrom(cause));
      setBusy(false);
    }
  }

  return {
    values,
    errors,
    /** Why the service refused it; the screen shows it as a sentence. */
    failure,
    busy,
    formRef,
    failureRef,
    set: (field: Field, value: string): void => {
      // A password manager fills several fields before anything is redrawn, so each change builds on the latest state.
      latest.current = { ...latest.current, [field]: value };
      setValues(latest.current);
      if (name !== undefined) board.storeForm(name, { before: start.before, values: latest.current });
      if (errors[field] && !check(latest.current)[field]) {
        const { [field]: _, ...others } = errors;
        setErrors(others as Partial<Record<Field, string>>);
      }
    },
    submit: (event: Event): void => {
      event.preventDefault();
      if (busy) return;
      const found = check(latest.current);
      setErrors(found);
      setRefused(found);
      if (Object.keys(found).length === 0) void run();
    },
  };
}
