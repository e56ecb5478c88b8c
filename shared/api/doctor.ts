import * as z from "zod/mini";
import { api } from "../operation.ts";

/** One thing that was looked at. `fault`: it does not work; `note`: it works, with less; `good`: it is as it should be. */
export const Finding = z.object({
  level: z.enum(["good", "note", "fault"]),
  about: z.enum([
    "configuration",
    "address",
    "clock",
    "credential",
    "public-key",
    "service",
    "capabilities",
    "page",
  ]),
  sentence: z.string(),
});
export type Finding = z.infer<typeof Finding>;

/** Says in sentences what is wrong between this BFF and its service. There only where the operator lets it be. */
export const readDoctor = api({
  method: "GET",
  path: "/api/doctor",
  session: "none",
  answer: z.object({
    /** True where no finding is a fault. */
    well: z.boolean(),
    findings: z.array(Finding),
  }),
});
export type Diagnosis = z.infer<typeof readDoctor.answer>;
