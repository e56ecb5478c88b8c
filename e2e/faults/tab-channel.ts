import type { TabMessage, Tabs } from "../../widget/app/environment.ts";

/** Replaces BroadcastChannel for the tabs of one browser: each receives what the others send. */
export function createTabChannel(): () => Tabs {
  const ears = new Map<object, (message: TabMessage) => void>();
  return () => {
    const me = {};
    return {
      post: (message) => {
        for (const [other, hear] of ears) if (other !== me) hear(message);
      },
      listen: (hear) => void ears.set(me, hear),
    };
  };
}
