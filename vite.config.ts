import { defineConfig, type InlineConfig, type Plugin } from "vite";
import { localeAssets } from "./widget/locale-assets.ts";

/** Settings that all three bundles share. Without the condition "browser" the signals come in their modern form. */
const common = {
  configFile: false,
  publicDir: false,
  logLevel: "warn",
  resolve: { conditions: ["module", "import", "default"] },
} satisfies InlineConfig;

/**
 * JSX is named here because Vite takes it from tsconfig for included files alone. As calls of `h` it is 230 B smaller in
 * the frame than by the automatic runtime, which the tests use.
 */
const oxc = {
  jsx: { runtime: "classic", pragma: "h", pragmaFrag: "Fragment" },
  jsxInject: 'import { Fragment, h } from "preact";',
} as const;

/**
 * A second and a half of build for one per cent of bytes that every visitor pays: three passes find what one leaves, and
 * what is written in the same way everywhere packs better. Found by trying each option on the panel: 80 B.
 */
const minified = {
  minify: "terser",
  terserOptions: {
    ecma: 2020,
    module: true,
    compress: { passes: 3, inline: 1, lhs_constants: false, unsafe_arrows: true },
  },
} as const;

/** Found by trying each option on the loader, where one byte in three thousand counts: 50 B. */
const loaderMinified = {
  minify: "terser",
  terserOptions: {
    ecma: 2020,
    module: true,
    compress: { passes: 3, hoist_funs: true, comparisons: false, unsafe: true, unsafe_arrows: true },
  },
} as const;

/**
 * The bundler wraps each `import()` in code that first adds style sheets and preloads to the page. Ours have none: what
 * they need is fetched with its hash (decision 0018).
 */
const bareImports: Plugin = {
  name: "parley-bare-imports",
  enforce: "pre",
  load: (id) =>
    id === "\0vite/preload-helper.js" ? "export const __vitePreload = (load) => load();" : undefined,
};

/** HTML is served with its own name; everything it loads has a hash and never changes. */
function pageConfig(
  root: string,
  base: string,
  page: string,
  outDir: string,
  build: InlineConfig["build"] = {},
): InlineConfig {
  return {
    ...common,
    oxc,
    root,
    base,
    build: {
      ...build,
      target: "es2022",
      outDir,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: false,
      rolldownOptions: { input: `${root}/${page}`, checks: { pluginTimings: false } },
    },
  };
}

/** The panel, in the frame on the BFF's origin: `/frame` and `/assets/*`. */
export function frameConfig(root: string): InlineConfig {
  const config = pageConfig(`${root}/widget/frame`, "/", "frame.html", `${root}/dist/widget`, minified);
  return { ...config, plugins: [localeAssets(), bareImports] };
}

/** The desk: `/desk` and `/desk/assets/*`. */
export function deskConfig(root: string): InlineConfig {
  return pageConfig(`${root}/widget/desk`, "/desk/", "index.html", `${root}/dist/desk`);
}

/** What every page view pays: one classic script without a dependency. */
export function loaderConfig(root: string, version: string): InlineConfig {
  return {
    ...common,
    root: `${root}/widget/loader`,
    define: { __PARLEY_VERSION__: JSON.stringify(version) },
    build: {
      ...loaderMinified,
      target: "es2022",
      outDir: `${root}/dist/loader`,
      emptyOutDir: true,
      rolldownOptions: {
        input: `${root}/widget/loader/main.ts`,
        checks: { pluginTimings: false },
        output: { format: "iife", entryFileNames: "widget.js" },
      },
    },
  };
}

/** The files that stand in for another chat's script, each alone and classic: `/compat/NAME.js`. */
export const COMPAT = ["chatwoot", "crisp", "intercom", "zendesk"] as const;

export function compatConfig(root: string, name: (typeof COMPAT)[number]): InlineConfig {
  return {
    ...common,
    root: `${root}/compat`,
    build: {
      ...minified,
      target: "es2022",
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

export default defineConfig(frameConfig(import.meta.dirname));
