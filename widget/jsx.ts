/**
 * Vite takes the JSX settings from tsconfig.json for files that it includes; the tests' and the build's are the same here.
 * A file of its own: Vite bundles the tests' config at each start, and the build's other settings import 2 MB of emoji.
 */
export const jsx = { runtime: "automatic", importSource: "preact" } as const;
