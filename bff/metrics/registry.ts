/** Series beyond this many of one metric are added up in one of their own, so that no input can fill the memory. */
const MAX_SERIES = 200;
const OVERFLOW = '{overflow="true"}';

export type Labels = Readonly<Record<string, string | number>>;

export interface Counter {
  add(labels?: Labels): void;
}

export interface Histogram {
  /** `value` in the unit that the metric's name ends with. */
  observe(value: number, labels?: Labels): void;
}

export interface Registry {
  counter(name: string, help: string): Counter;
  histogram(name: string, help: string, bounds: readonly number[]): Histogram;
  /** Read when the metrics are. */
  gauge(name: string, help: string, read: () => readonly (readonly [Labels, number])[]): void;
  /** All of it, in Prometheus' text form 0.0.4. */
  text(): string;
}

interface Bars {
  readonly counts: number[];
  sum: number;
}

/** Numbers of this process. Only sums are kept; lines are written when they are asked for. */
export function createRegistry(): Registry {
  const metrics: (() => string)[] = [];
  const declare = (name: string, type: string, help: string, lines: () => string[]) =>
    void metrics.push(() => [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines(), ""].join("\n"));
  return {
    counter(name, help) {
      const series = new Map<string, number>();
      declare(name, "counter", help, () => [...series].map(([labels, value]) => `${name}${labels} ${value}`));
      return {
        add(labels = {}) {
          const key = keyOf(series, labels);
          series.set(key, (series.get(key) ?? 0) + 1);
        },
      };
    },
    histogram(name, help, bounds) {
      const series = new Map<string, Bars>();
      declare(name, "histogram", help, () =>
        [...series].flatMap(([labels, bars]) => barLines(name, labels, bars, bounds)),
      );
      return {
        observe(value, labels = {}) {
          const key = keyOf(series, labels);
          const bars = series.get(key) ?? { counts: Array<number>(bounds.length + 1).fill(0), sum: 0 };
          const found = bounds.findIndex((bound) => value <= bound);
          const at = found === -1 ? bounds.length : found;
          bars.counts[at] = (bars.counts[at] ?? 0) + 1;
          bars.sum += value;
          series.set(key, bars);
        },
      };
    },
    gauge(name, help, read) {
      declare(name, "gauge", help, () =>
        read().map(([labels, value]) => `${name}${format(labels)} ${value}`),
      );
    },
    text: () => metrics.map((write) => write()).join(""),
  };
}

function keyOf(series: ReadonlyMap<string, unknown>, labels: Labels): string {
  const key = format(labels);
  return series.has(key) || series.size < MAX_SERIES ? key : OVERFLOW;
}

function format(labels: Labels): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(String(value))}"`);
  return parts.length === 0 ? "" : `{${parts.join(",")}}`;
}

function escapeLabel(value: string): string {
  return value.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\n/g, "\\n");
}

function barLines(name: string, labels: string, { counts, sum }: Bars, bounds: readonly number[]): string[] {
  const inside = labels === "" ? "" : `${labels.slice(1, -1)},`;
  let total = 0;
  const lines = counts.map((count, index) => {
    total += count;
    return `${name}_bucket{${inside}le="${bounds[index] ?? "+Inf"}"} ${total}`;
  });
  return [...lines, `${name}_sum${labels} ${sum}`, `${name}_count${labels} ${total}`];
}
