import type { Clock } from "../../shared/server/clock.ts";
import type { ProfileSource } from "./source.ts";

/** The dependencies of a source besides its configuration. */
export interface SourceDeps {
  readonly clock: Clock;
}

/** A source whose entry was read: everything about it except for its kind's behaviour. */
export type SourceEntry = Omit<ProfileSource, "receive">;

export type OpenSource = (deps: SourceDeps) => ProfileSource;

/** Reads the fields of an entry that are specific to its kind. */
export interface EntryReader {
  /**
   * Returns the text of the field, or of the file that `NAMEFile` names; undefined, with a fault, when there is
   * neither.
   */
  secret(field: string): string | undefined;
  refuse(fault: string): void;
}

/** One kind of source that this program includes. */
export interface SourceKind {
  /** The `kind` of an entry of `PROFILE_SOURCES`. */
  readonly kind: string;
  /** Reads one entry. Pure: every problem goes to `reader`. */
  configure(entry: SourceEntry, reader: EntryReader): OpenSource;
}
