import { runInNewContext } from "node:vm";
import type { jsonSchemaValidator } from "@modelcontextprotocol/client";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";

/** Nothing else runs during a check, and a pattern of a server's schema may take years on some text. */
const CHECK_MS = 500;

/** Checks values by the schemas of servers, in bounded time. A check that takes longer throws. */
export const boundedValidator: jsonSchemaValidator = {
  getValidator<T>(schema: Parameters<jsonSchemaValidator["getValidator"]>[0]) {
    // Its own instance: two schemas may have the same `$id`.
    const check = new AjvJsonSchemaValidator().getValidator<T>(schema);
    return (value) =>
      runInNewContext("check()", { check: () => check(value) }, { timeout: CHECK_MS }) as ReturnType<
        typeof check
      >;
  },
};
