import type fc from "fast-check";

/** The facts that a model knows without looking: the open tabs, and how often the whole product was restarted. */
export interface Model {
  tabs: number;
  restarts: number;
}

/** One action in `Real`; `at` is one of the tabs, `choice` any number. */
export interface Step<Real> {
  readonly name: string;
  readonly check?: (model: Readonly<Model>) => boolean;
  readonly change?: (model: Model) => void;
  readonly act: (real: Real, at: number, choice: number) => void | Promise<void>;
}

/** The step as a command; `look` throws when the step left something visible that must not be. */
export function commandOf<Real>(
  { name, check = () => true, change = () => undefined, act }: Step<Real>,
  choice: number,
  look: (real: Real) => void | Promise<void>,
): fc.AsyncCommand<Model, Real> {
  return {
    check: (model) => model.tabs > 0 && check(model),
    async run(model, real) {
      await act(real, choice % model.tabs, choice);
      change(model);
      await look(real);
    },
    toString: () => `${name}(${choice})`,
  };
}

type Change = Required<Pick<Step<unknown>, "check" | "change">>;

const MOST_TABS = 3;
/** Starting a process takes longer than everything else in a run. */
const MOST_RESTARTS = 1;

export const oneTabLess: Change = {
  check: ({ tabs }) => tabs > 1,
  change: (model) => {
    model.tabs -= 1;
  },
};

export const oneRestart: Change = {
  check: ({ restarts }) => restarts < MOST_RESTARTS,
  change: (model) => {
    model.restarts += 1;
  },
};

interface Tabs {
  readonly openTab: () => void | Promise<void>;
  readonly closeTab: (at: number) => void | Promise<void>;
}

export const secondTab: Step<Tabs> = {
  name: "second tab",
  check: ({ tabs }) => tabs < MOST_TABS,
  change: (model) => {
    model.tabs += 1;
  },
  act: ({ openTab }) => openTab(),
};

export const closeTab: Step<Tabs> = {
  name: "close tab",
  ...oneTabLess,
  act: ({ closeTab: close }, at) => close(at),
};
