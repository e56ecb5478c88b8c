/**
 * One result of an examination, a sentence. `fault`: it does not work; `note`: it works with less; `good`: it works;
 * `unseen`: nobody looked.
 */
export interface Finding {
  readonly level: "good" | "note" | "fault" | "unseen";
  readonly about:
    | "configuration"
    | "process"
    | "store"
    | "unseen"
    | "address"
    | "clock"
    | "credential"
    | "public-key"
    | "service"
    | "capabilities"
    | "page";
  readonly sentence: string;
}

type About = Finding["about"];

export const good = (about: About, sentence: string): Finding => ({ level: "good", about, sentence });
export const note = (about: About, sentence: string): Finding => ({ level: "note", about, sentence });
export const fault = (about: About, sentence: string): Finding => ({ level: "fault", about, sentence });
export const unseen = (sentence: string): Finding => ({ level: "unseen", about: "unseen", sentence });
