/** Answers of this process's services that their document does not describe, a sentence each. */
const deviations = new Set<string>();

export const addDeviation = (sentence: string): void => void deviations.add(sentence);

/** The deviations since the last call. */
export function takeDeviations(): readonly string[] {
  const taken = [...deviations];
  deviations.clear();
  return taken;
}
