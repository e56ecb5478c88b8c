import { basename } from "node:path";
import type { CSSModulesOptions, InlineConfig, Plugin } from "vite";
import { emojiAssets } from "./emoji-assets.ts";
import { jsx } from "./jsx.ts";
import type { LoaderWords } from "./loader/words.ts";
import { localeAssets } from "./locale-assets.ts";

/**
 * The oldest browsers that the chat works in (docs/browsers.md). The build rewrites syntax that they lack, in scripts and
 * styles; `e2e/build.slow.test.ts` checks that nothing else newer is used.
 */
export const BROWSERS = ["chrome111", "edge111", "firefox128", "safari16.4", "ios16.4"];

/** Settings that all bundles share. Without the condition "browser" the signals come in their modern form. */
const common = {
  configFile: false,
  publicDir: false,
  logLevel: "warn",
  resolve: { conditions: ["module", "import", "default"] },
} satisfies InlineConfig;

/** Constants are written where they are used. With Vite's `var` in the place of `const` the minifier keeps each in a variable. */
const INLINED = { inlineConst: true };
const CONSTANTS = { topLevelVar: false };

/** A class is named after its file, so that an inspector and the browser tests can tell where it is from. */
const cssModules = {
  localsConvention: "camelCaseOnly",
  generateScopedName: (name: string, file: string) => `${basename(file, ".module.css")}__${name}`,
} satisfies CSSModulesOptions;

/** HTML is served with its own name; everything it loads has a hash and never changes. */
function pageConfig(root: string, base: string, page: string, outDir: string): InlineConfig {
  return {
    ...common,
    oxc: { jsx },
    css: { modules: cssModules },
    root,
    base,
    build: {
      target: BROWSERS,
      outDir,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: false,
      rolldownOptions: {
        input: `${root}/${page}`,
        checks: { pluginTimings: false },
        optimization: INLINED,
        output: CONSTANTS,
      },
    },
  };
}

/** Modules that the panel's page imports statically, directly or not: one file, where the bundler would make several. */
const needed = new Set<string>();
const firstOpen: Plugin = {
  name: "parley-first-open",
  buildEnd() {
    const visit = (id: string) => {
      if (needed.has(id)) return;
      needed.add(id);
      for (const next of this.getModuleInfo(id)?.importedIds ?? []) visit(next);
    };
    for (const id of this.getModuleIds()) if (this.getModuleInfo(id)?.isEntry) visit(id);
  },
};
const isNeededFirst = (id: string) => needed.has(id);

/** The panel, in the frame on the BFF's origin: `/frame` and `/assets/*`. */
export function frameConfig(root: string): InlineConfig {
  const config = pageConfig(`${root}/widget/frame`, "/", "frame.html", `${root}/dist/widget`);
  const output = { ...CONSTANTS, codeSplitting: { groups: [{ name: "first", test: isNeededFirst }] } };
  const rolldownOptions = { ...config.build?.rolldownOptions, output };
  return { ...config, build: { ...config.build, rolldownOptions }, plugins: [localeAssets(), firstOpen] };
}

/** The desk: `/desk` and `/desk/assets/*`. */
export function deskConfig(root: string): InlineConfig {
  const config = pageConfig(`${root}/widget/desk`, "/desk/", "index.html", `${root}/dist/desk`);
  return { ...config, plugins: [emojiAssets()] };
}

/** The script that every page view pays for: classic, without a dependency, one file for each language. */
export function loaderConfig(root: string, version: string, languages: readonly LoaderWords[]): InlineConfig {
  return {
    ...common,
    root: `${root}/widget/loader`,
    define: { __PARLEY_VERSION__: JSON.stringify(version) },
    build: {
      target: BROWSERS,
      outDir: `${root}/dist/loader`,
      emptyOutDir: true,
      rolldownOptions: {
        input: `${root}/widget/loader/main.ts`,
        checks: { pluginTimings: false },
        optimization: INLINED,
        output: languages.map((words) => ({
          ...CONSTANTS,
          format: "iife" as const,
          entryFileNames: words.lang === "en" ? "widget.js" : `widget.${words.lang}.js`,
          intro: `const __PARLEY_WORDS__ = ${JSON.stringify(words)};`,
        })),
      },
    },
  };
}

/** The files that stand in for another chat's script, each separate and classic: `/compat/NAME.js`. */
export const COMPAT = ["chatwoot", "crisp", "intercom", "zendesk"] as const;

export function compatConfig(root: string, name: (typeof COMPAT)[number]): InlineConfig {
  return {
    ...common,
    root: `${root}/compat`,
    build: {
      target: BROWSERS,
      outDir: `${root}/dist/compat`,
      emptyOutDir: false,
      rolldownOptions: {
        input: `${root}/compat/${name}.js`,
        checks: { pluginTimings: false },
        output: { format: "iife", entryFileNames: `${name}.js` },
      },
    },
  };
}
