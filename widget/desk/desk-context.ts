import { createRequiredContext } from "../elements/required-context.ts";
import type { DeskModel } from "./desk-model.ts";

/** The desk's model, for every component of the desk. `DeskApp` provides it. */
export const DeskContext = createRequiredContext<DeskModel>();
export const useDesk = DeskContext.use;
