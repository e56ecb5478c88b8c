/** One candidate: its numbers, whether it was right, and how much it counts. */
export interface Example<Name extends string> {
  readonly features: Readonly<Record<Name, number>>;
  readonly isRight: boolean;
  readonly weight: number;
}

export interface Regression<Name extends string> {
  readonly bias: number;
  readonly weights: Record<Name, number>;
}

const STEPS = 20;
/** Keeps weights small that few examples support. */
const PENALTY = 2;

/** Fits a logistic regression by Newton's method. */
export function learn<Name extends string>(
  names: readonly Name[],
  examples: readonly Example<Name>[],
): Regression<Name> {
  const total = sum(examples.map(({ weight }) => weight)) || 1;
  const mean = names.map((name) => sum(examples.map((one) => one.weight * one.features[name])) / total);
  const spread = names.map(
    (name, at) =>
      Math.sqrt(
        sum(examples.map((one) => one.weight * (one.features[name] - (mean[at] ?? 0)) ** 2)) / total,
      ) || 1,
  );
  const rows = examples.map((one) => [
    1,
    ...names.map((name, at) => (one.features[name] - (mean[at] ?? 0)) / (spread[at] ?? 1)),
  ]);
  let found = Array.from({ length: names.length + 1 }, () => 0);
  for (let step = 0; step < STEPS; step += 1) {
    const change = newtonStep(rows, examples, found);
    found = found.map((value, at) => value + (change[at] ?? 0));
  }
  const weights = names.map((name, at) => [name, (found[at + 1] ?? 0) / (spread[at] ?? 1)] as const);
  const bias = (found[0] ?? 0) - sum(weights.map(([, weight], at) => weight * (mean[at] ?? 0)));
  return { bias, weights: Object.fromEntries(weights) as Record<Name, number> };
}

function newtonStep(
  rows: readonly (readonly number[])[],
  examples: readonly { readonly isRight: boolean; readonly weight: number }[],
  found: readonly number[],
): number[] {
  const size = found.length;
  const gradient = found.map((value, at) => (at === 0 ? 0 : -PENALTY * value));
  const curve: number[][] = found.map((_, at) =>
    found.map((__, other) => (at === other ? (at === 0 ? 1e-9 : PENALTY) : 0)),
  );
  for (const [index, row] of rows.entries()) {
    const { isRight, weight } = examples[index] ?? { isRight: false, weight: 0 };
    const likely = 1 / (1 + Math.exp(-sum(row.map((value, at) => value * (found[at] ?? 0)))));
    const error = weight * ((isRight ? 1 : 0) - likely);
    const slope = weight * likely * (1 - likely);
    for (let at = 0; at < size; at += 1) {
      gradient[at] = (gradient[at] ?? 0) + error * (row[at] ?? 0);
      const line = curve[at] ?? [];
      for (let other = 0; other < size; other += 1) {
        line[other] = (line[other] ?? 0) + slope * (row[at] ?? 0) * (row[other] ?? 0);
      }
    }
  }
  return solve(curve, gradient);
}

/** Solves linear equations by elimination. The curve is positive, so no pivot is zero. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const lines = matrix.map((line, at) => [...line, right[at] ?? 0]);
  for (const [at, pivot] of lines.entries()) {
    for (const [other, line] of lines.entries()) {
      if (other === at) continue;
      const factor = (line[at] ?? 0) / (pivot[at] ?? 1);
      for (let column = at; column < line.length; column += 1) {
        line[column] = (line[column] ?? 0) - factor * (pivot[column] ?? 0);
      }
    }
  }
  return lines.map((line, at) => (line.at(-1) ?? 0) / (line[at] ?? 1));
}

function sum(numbers: readonly number[]): number {
  let all = 0;
  for (const one of numbers) all += one;
  return all;
}
