import * as z from "zod/mini";
import { PANEL_CAPABILITIES } from "./panel-capabilities.ts";

export const PanelCapability = z.enum(PANEL_CAPABILITIES);
export type PanelCapability = z.infer<typeof PanelCapability>;

/** What a service may offer beyond the seven endpoints (contract, "Beyond the seven"). Only the BFF uses `link` and `startedFrom`. */
export const Capability = z.enum([...PANEL_CAPABILITIES, "link", "startedFrom"]);
export type Capability = z.infer<typeof Capability>;
