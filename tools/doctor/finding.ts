import type { Diagnosis, Finding } from "../../shared/api/doctor.ts";

export const good = (about: Finding["about"], sentence: string): Finding => ({
  level: "good",
  about,
  sentence,
});
export const note = (about: Finding["about"], sentence: string): Finding => ({
  level: "note",
  about,
  sentence,
});
export const fault = (about: Finding["about"], sentence: string): Finding => ({
  level: "fault",
  about,
  sentence,
});

/** Well is where nothing is a fault. */
export function diagnosisOf(findings: readonly Finding[]): Diagnosis {
  return { well: findings.every(({ level }) => level !== "fault"), findings: [...findings] };
}
