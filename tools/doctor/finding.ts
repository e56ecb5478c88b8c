/**
 * One result of an examination, a sentence. `fault`: it does not work; `note`: it works with less; `good`: it works;
 * `unseen`: nobody looked.
 */
export interface Finding {
  readonly level: "good" | "note" | "fault" | "unseen";
  readonly sentence: string;
}

export const good = (sentence: string): Finding => ({ level: "good", sentence });
export const note = (sentence: string): Finding => ({ level: "note", sentence });
export const fault = (sentence: string): Finding => ({ level: "fault", sentence });
export const unseen = (sentence: string): Finding => ({ level: "unseen", sentence });
