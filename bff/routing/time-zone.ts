import { createWallClock } from "./wall-clock.ts";
import { hint, quote } from "./wording.ts";

/**
 * What is wrong with a time zone, or nothing; goes on after its name. Only names with a region are taken: the runtime
 * reads `BST` as Dhaka and `EST` as a zone without summer time, which nobody means.
 */
export function zoneFault(name: string): string | undefined {
  if (name === "UTC" || (name.includes("/") && isKnown(name))) return undefined;
  const zones = Intl.supportedValuesOf("timeZone");
  const city = zones.find((zone) => plain(zone.split("/").at(-1) ?? "") === plain(name));
  if (city !== undefined) return `is not an IANA time zone; did you mean ${quote(city)}?`;
  const near = name.includes("/") ? zones : [];
  return `is not an IANA time zone${hint(name, near, 'write one such as "Europe/Berlin" or "UTC"')}`;
}

function isKnown(name: string): boolean {
  try {
    return createWallClock(name)(0).day <= 0;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, "");
}
