/** One thing that is wrong with the owner's routing configuration; `name fault` reads as one sentence. */
export interface RoutingFault {
  /** The environment variable. */
  readonly name: string;
  readonly fault: string;
  /** How a right value looks. */
  readonly example: string;
  /** Counted from 1, as the sentence does. */
  readonly rule?: number;
  /** Dotted, as the sentence writes it. */
  readonly key?: string;
}

/** Either the value, or everything that is wrong with it, at once. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly faults: readonly RoutingFault[] };

/** The fault as the operator reads it. */
export function sentenceOf(fault: RoutingFault): string {
  return `${fault.name} ${fault.fault}`;
}

/** Faults of one variable, in the order of the rules and as found within one. */
export interface FaultList {
  readonly faults: readonly RoutingFault[];
  refuse(fault: string, where?: { rule?: number; key?: string }): void;
}

/** Collects faults of the variable `name`; `example` shows a right value. */
export function createFaultList(name: string, example: string): FaultList {
  const faults: RoutingFault[] = [];
  return {
    faults,
    refuse: (fault, where = {}) => {
      const place = where.rule === undefined ? fault : `rule ${where.rule}: ${fault}`;
      faults.push({ name, fault: place, example, ...where });
    },
  };
}
