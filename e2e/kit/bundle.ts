import { build, type InlineConfig } from "vite";

interface BundleOptions {
  /** The folder of the application's packages. */
  readonly root: string;
  readonly file: string;
  readonly alias?: Readonly<Record<string, string>>;
  readonly plugins?: InlineConfig["plugins"];
  readonly isServer?: boolean;
}

/** The bundle of an application, for a script element or a server. React's development builds mount twice. */
export async function bundleApp({
  root,
  file,
  alias = {},
  plugins = [],
  isServer = false,
}: BundleOptions): Promise<string> {
  const result = await build({
    root,
    configFile: false,
    logLevel: "error",
    mode: "development",
    define: { "process.env.NODE_ENV": '"development"' },
    oxc: { jsx: { runtime: "automatic", importSource: "react" } },
    resolve: { alias },
    plugins,
    ...(isServer ? { ssr: { noExternal: true } } : {}),
    build: {
      write: false,
      minify: false,
      ...(isServer ? { ssr: true } : {}),
      rolldownOptions: { input: file, output: { format: isServer ? "esm" : "iife" } },
    },
  });
  const [first] = Array.isArray(result) ? result : [result];
  const chunk = first && "output" in first ? first.output[0] : undefined;
  if (chunk?.type !== "chunk") throw new Error("no bundle");
  return isServer ? chunk.code : chunk.code.replaceAll("</script", "<\\/script");
}
