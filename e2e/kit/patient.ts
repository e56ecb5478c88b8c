import { expect } from "@playwright/test";

/** On a busy machine a fault takes as long as it takes; nothing that expects by this is about time. */
export const patient = expect.configure({ timeout: 30_000 });
