import { readConfig } from "../../shared/api/config.ts";
import type { RouteDeps } from "./deps.ts";
import { respondOwn, route } from "./exchange.ts";

/** What the owner set for every visitor. */
export function createReadConfig({ publicConfig }: Pick<RouteDeps, "publicConfig">) {
  return route(readConfig, (exchange) => respondOwn(exchange, publicConfig));
}
