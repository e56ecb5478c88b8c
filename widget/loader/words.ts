/** The texts that the loader shows before a frame has answered, and their language. */
export interface LoaderWords {
  /** BCP 47. */
  readonly lang: string;
  /** The launcher's accessible name. */
  readonly launcher: string;
  /** The frame's accessible name. */
  readonly frame: string;
  /** Shown when the chat can't be reached; a press on it tries again. */
  readonly note: string;
}

declare const __PARLEY_WORDS__: LoaderWords;

/** The texts of the language that this file was built in. */
export const words = __PARLEY_WORDS__;
