/** The part of PromQL that docs/observability.md uses: selectors, rates, sums by labels, a quantile, one comparison. */

const SELECTOR = /\b(parley_[a-z_]+|up)(\{[^}]*\})?(\[[^\]]*\])?/g;
const MATCHERS = /^\{[a-z]+(=|!=|=~|!~)"[^"]*"(, ?[a-z]+(=|!=|=~|!~)"[^"]*")*\}$/;
const RANGE = /^\[\d+[smhd]\]$/;

/** Each step replaces a valid part by its kind: V is a value for each series, R what it was over a time, N a number. */
const STEPS: readonly (readonly [RegExp, string])[] = [
  [/\b(rate|increase)\(R\)/g, "V"],
  [/\b(sum|max|min|avg|count)( by \([a-z]+(, [a-z]+)*\) )?\(V\)/g, "V"],
  [/\bhistogram_quantile\(N, V\)/g, "V"],
  [/\bV [-+*/] V\b/g, "V"],
];

/** Why Prometheus would not read this rule; undefined for one that it reads. */
export function faultOfRule(rule: string): string | undefined {
  for (const [, , matchers, range] of rule.matchAll(SELECTOR)) {
    if (matchers && !MATCHERS.test(matchers)) return `${matchers} selects nothing.`;
    if (range && !RANGE.test(range)) return `${range} is no time.`;
  }
  let left = rule
    .replace(SELECTOR, (...[, , , range]) => (range ? "R" : "V"))
    .replace(/(?<![\w.])\d+(\.\d+)?\b/g, "N");
  for (let before = ""; before !== left; ) {
    before = left;
    for (const [part, kind] of STEPS) left = left.replace(part, kind);
  }
  return /^V (==|!=|>|<|>=|<=) N$/.test(left) ? undefined : `It can be read only as far as "${left}".`;
}

/** The metrics of a rule, each with the labels and values that it selects by. */
export function namesOf(
  rule: string,
): { metric: string; labels: (readonly [label: string, value: string])[] }[] {
  return [...rule.matchAll(SELECTOR)].map(([, metric = "", matchers = ""]) => ({
    metric,
    labels: [...matchers.matchAll(/([a-z]+)[!=~]+"([^"]*)"/g)].map(
      ([, label = "", value = ""]) => [label, value] as const,
    ),
  }));
}
