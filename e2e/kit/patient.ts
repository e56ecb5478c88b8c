import { expect } from "@playwright/test";

/** On a busy machine a fault takes as long as it takes; expectations made with this are not about time. */
export const patient = expect.configure({ timeout: 30_000 });
