import type { Address } from "./address.ts";
import type { Endpoint } from "./endpoint.ts";
import { type FaultName, isAddressFault } from "./faults.ts";

export interface FaultOptions {
  /** For how many requests; by default until it is cleared. A fault of the address has no count. */
  readonly times?: number;
  /** Whether the request still takes effect; the table of faults has the default. */
  readonly done?: boolean;
  /** A fault of the address begins when this endpoint is answered; by default at once. */
  readonly after?: Endpoint;
}

export interface Armed {
  readonly fault: FaultName;
  readonly options: FaultOptions;
}

/** The faults that are waiting for their endpoint. */
export interface ArmedFaults {
  readonly set: (endpoint: Endpoint, fault: FaultName, options?: FaultOptions) => void;
  /** Returns the fault for this request, and counts it. */
  readonly take: (endpoint: Endpoint) => Armed | undefined;
  /** Breaks the address if that is due once this endpoint is answered; returns whether it did. */
  readonly breakAfter: (endpoint: Endpoint) => boolean;
  readonly clear: () => Promise<void>;
}

/** Stores one fault for each endpoint. */
export function createArmedFaults(address: Address): ArmedFaults {
  const faults = new Map<Endpoint, Armed>();
  const left = new Map<Endpoint, number>();

  function breakAddress(fault: FaultName): void {
    if (fault === "connect-refused") address.refuse();
    else address.distrust();
  }
  return {
    set: (endpoint, fault, options = {}) => {
      faults.set(endpoint, { fault, options });
      left.set(endpoint, options.times ?? Number.POSITIVE_INFINITY);
      if (isAddressFault(fault) && options.after === undefined) breakAddress(fault);
    },
    take: (endpoint) => {
      const armed = faults.get(endpoint);
      const count = left.get(endpoint) ?? 0;
      if (!armed || isAddressFault(armed.fault) || count === 0) return undefined;
      left.set(endpoint, count - 1);
      return armed;
    },
    breakAfter: (endpoint) => {
      const due = [...faults.values()].filter(
        ({ fault, options }) => isAddressFault(fault) && options.after === endpoint,
      );
      for (const { fault } of due) breakAddress(fault);
      return due.length > 0;
    },
    clear: async () => {
      faults.clear();
      await address.restore();
    },
  };
}
