import { readConfig } from "../../shared/api/config.ts";
import { respondOwn, route } from "../route.ts";
import type { RouteDeps } from "./deps.ts";

/** What the owner set for every visitor. */
export function createReadConfig({ publicConfig }: Pick<RouteDeps, "publicConfig">) {
  return route(readConfig, (exchange) => respondOwn(exchange, publicConfig));
}
