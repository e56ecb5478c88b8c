import { defineConfig } from "vite";
import { frameConfig } from "./widget/bundles.ts";

/** The panel, for programs that look for this file, such as an editor or `vite dev`. */
export default defineConfig(frameConfig(import.meta.dirname));
