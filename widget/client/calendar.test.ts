// @vitest-environment node
import { describe, expect, it } from "vitest";
import { createCalendar } from "./calendar.ts";

const NOW = "2026-11-21T12:00:00";
const calendar = (locale?: string) => createCalendar(locale, () => Date.parse(NOW));

describe("days and times", () => {
  it("today and yesterday are named in the language, other days by their date", () => {
    expect(calendar("en-GB").dayName("2026-11-21T00:01:00")).toBe("Today");
    expect(calendar("en-GB").dayName("2026-11-20T23:59:00")).toBe("Yesterday");
    expect(calendar("en-GB").dayName("2026-11-19T23:59:00")).toMatch(/Thursday.*19 November/);
    expect(calendar("de").dayName("2026-11-20T10:00:00")).toBe("Gestern");
    expect(calendar("ar").dayName("2026-11-21T10:00:00")).toMatch(/\p{Script=Arabic}/u);
  });

  it('a message from a clock that is ahead shows its date, not "today"', () => {
    expect(calendar("en-GB").dayName("2026-11-22T10:00:00")).toMatch(/22 November/);
  });

  it("days follow the reader's own clock: both ends of a day share a key", () => {
    const [start, end, before] = ["2026-11-21T00:00:00", "2026-11-21T23:59:00", "2026-11-20T23:59:00"];
    expect(calendar().dayOf(start)).toBe(calendar().dayOf(end));
    expect(calendar().dayOf(start)).not.toBe(calendar().dayOf(before));
  });

  it("LOOK10 times of the last hour are counted in minutes, in the reader's language; older times are not", () => {
    const agoOf = (at: string) => calendar("en-GB").agoOf(at);
    expect([agoOf(NOW), agoOf("2026-11-21T11:59:01")]).toEqual(["Now", "Now"]);
    expect(agoOf("2026-11-21T11:55:00")).toMatch(/^5 min\.? ago$/);
    expect(agoOf("2026-11-21T11:00:01")).toMatch(/^59 min/);
    expect([agoOf("2026-11-21T11:00:00"), agoOf("2026-11-20T12:00:00")]).toEqual([undefined, undefined]);
    expect(calendar("de").agoOf("2026-11-21T11:55:00")).toMatch(/^Vor 5 Min/);
    expect(calendar("ar").agoOf("2026-11-21T11:55:00")).toMatch(/\p{Script=Arabic}/u);
  });

  it('a time slightly in the future is "now"; one further ahead has no age', () => {
    expect(calendar("en").agoOf("2026-11-21T12:00:30")).toBe("Now");
    expect(calendar("en").agoOf("2026-11-21T12:01:00")).toBeUndefined();
    expect(calendar("en").agoOf("no time")).toBeUndefined();
  });

  it("an invalid language tag falls back to the browser's own language", () => {
    expect(calendar("no such tag!").timeOf(NOW)).toBe(calendar().timeOf(NOW));
  });
});
