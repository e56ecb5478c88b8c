import { describe, expect, it, onTestFinished, vi } from "vitest";
import { timeOf } from "./time-words.ts";
import { whenOf } from "./wait-words.ts";

const NOW = new Date(2026, 10, 20, 18, 0).getTime();
const at = (day: number, hour: number) => new Date(2026, 10, day, hour, 0).toISOString();
const plain = (text: string) => text.replace(/\s/g, " ");

describe("an opening is named", () => {
  it.each([
    [at(20, 21), "en", "today 9:00 PM"],
    [at(21, 9), "en", "tomorrow 9:00 AM"],
    [at(23, 9), "en", "Monday 9:00 AM"],
    [at(23, 9), "de", "Montag, 09:00"],
    [at(30, 9), "en", "Monday, November 30 at 9:00 AM"],
  ])("%s in %s: %s", (opening, locale, words) => {
    expect(plain(whenOf(opening, locale, NOW))).toBe(words);
  });
});

describe("HAND5 an opening at 09:00 in Berlin", () => {
  // Friday evening there; a customer far away may already have, or still have, another day.
  const NOW_IN_BERLIN = Date.parse("2026-11-20T18:00:00+01:00");
  const OPENING = "2026-11-23T09:00:00+01:00";

  it.each([
    ["Europe/Berlin", "Monday 9:00 AM"],
    ["America/New_York", "Monday 3:00 AM"],
    ["Pacific/Honolulu", "Sunday 10:00 PM"],
    ["Pacific/Auckland", "Monday 9:00 PM"],
  ])("is named in the time zone of a customer in %s: %s", (zone, words) => {
    vi.stubEnv("TZ", zone);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(plain(whenOf(OPENING, "en", NOW_IN_BERLIN))).toBe(words);
  });

  it("is today for a customer whose day it already is", () => {
    vi.stubEnv("TZ", "Pacific/Auckland");
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(plain(whenOf("2026-11-21T09:00:00+01:00", "en", NOW_IN_BERLIN))).toBe("today 9:00 PM");
  });
});

describe("a wait is named", () => {
  it.each([
    [0, "en", "1 minute"],
    [240, "en", "4 minutes"],
    [90 * 60, "de", "90 Minuten"],
    [3 * 3600, "en", "3 hours"],
    [4 * 86_400, "ru", "4 дня"],
  ])("%i s in %s: %s", (seconds, locale, words) => {
    expect(plain(timeOf(seconds, locale))).toBe(words);
  });
});
