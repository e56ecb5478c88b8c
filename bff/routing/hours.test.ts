import { describe, expect, it } from "vitest";
import { isOpen, nextChange } from "./hours.ts";
import { hoursOf } from "./testing/routing-kit.ts";

const week = "Mon-Fri 09:00-17:00 Europe/Berlin";
const night = "Mon-Sun 22:00-06:00 Europe/Berlin";
const split = "Mon-Thu 09:00-12:00 13:00-17:30; Fri 09:00-12:00; Europe/Berlin";
const holidays = [
  "Mon-Fri 09:00-17:00",
  "12-25 closed",
  "2026-12-24 09:00-12:00",
  "12-24 closed",
  "2027-12-25 10:00-11:00",
  "Europe/Berlin",
].join("; ");
const nightAndHoliday = "Thu,Fri 22:00-06:00; 2026-12-25 closed; Europe/Berlin";

type State = "open" | "closed";

describe("isOpen", () => {
  it.each<[source: string, at: string, state: State]>([
    // the edges of a day
    [week, "2026-11-23T08:59:59.999+01:00", "closed"],
    [week, "2026-11-23T09:00:00+01:00", "open"],
    [week, "2026-11-23T16:59:59.999+01:00", "open"],
    [week, "2026-11-23T17:00:00+01:00", "closed"],
    [week, "2026-11-21T12:00:00+01:00", "closed"],
    [week, "2026-11-22T12:00:00+01:00", "closed"],
    // the same instant from elsewhere
    [week, "2026-11-23T03:00:00-05:00", "open"],
    [week, "2026-11-23T17:30:00+09:30", "open"],
    // summer and winter
    [week, "2026-07-01T07:00:00Z", "open"],
    [week, "2026-07-01T15:00:00Z", "closed"],
    [week, "2026-12-01T07:59:59Z", "closed"],
    [week, "2026-12-01T15:59:59Z", "open"],
    // a break
    [split, "2026-11-23T11:59:00+01:00", "open"],
    [split, "2026-11-23T12:00:00+01:00", "closed"],
    [split, "2026-11-23T13:00:00+01:00", "open"],
    [split, "2026-11-27T13:00:00+01:00", "closed"],
    // over midnight
    [night, "2026-11-23T21:59:00+01:00", "closed"],
    [night, "2026-11-23T22:00:00+01:00", "open"],
    [night, "2026-11-24T00:00:00+01:00", "open"],
    [night, "2026-11-24T05:59:59+01:00", "open"],
    [night, "2026-11-24T06:00:00+01:00", "closed"],
    ["Fri 22:00-06:00 Europe/Berlin", "2026-11-28T05:00:00+01:00", "open"],
    ["Fri 22:00-06:00 Europe/Berlin", "2026-11-29T05:00:00+01:00", "closed"],
    ["Sun 22:00-06:00 Europe/Berlin", "2026-11-23T05:00:00+01:00", "open"],
    ["Mon 22:00-24:00 Europe/Berlin", "2026-11-24T00:00:00+01:00", "closed"],
    ["Mon 22:00-00:00 Europe/Berlin", "2026-11-23T23:59:59+01:00", "open"],
    ["Mon 22:00-00:00 Europe/Berlin", "2026-11-24T00:00:00+01:00", "closed"],
    ["Mon-Sun 00:00-24:00 UTC", "2026-11-24T00:00:00Z", "open"],
    // clocks forward: 29 March 2026, 02:00 becomes 03:00
    ["Sun 01:00-02:30 Europe/Berlin", "2026-03-29T00:59:59Z", "open"],
    ["Sun 01:00-02:30 Europe/Berlin", "2026-03-29T01:00:00Z", "closed"],
    ["Sun 02:30-05:00 Europe/Berlin", "2026-03-29T00:59:59Z", "closed"],
    ["Sun 02:30-05:00 Europe/Berlin", "2026-03-29T01:00:00Z", "open"],
    ["Sun 02:30-05:00 Europe/Berlin", "2026-03-29T03:00:00Z", "closed"],
    [night, "2026-03-29T03:59:59Z", "open"],
    [night, "2026-03-29T04:00:00Z", "closed"],
    // clocks back: 25 October 2026, 03:00 becomes 02:00, and 02:30 comes twice
    ["Sun 02:00-02:30 Europe/Berlin", "2026-10-25T00:15:00Z", "open"],
    ["Sun 02:00-02:30 Europe/Berlin", "2026-10-25T00:30:00Z", "closed"],
    ["Sun 02:00-02:30 Europe/Berlin", "2026-10-25T01:15:00Z", "open"],
    ["Sun 02:00-02:30 Europe/Berlin", "2026-10-25T01:30:00Z", "closed"],
    [night, "2026-10-25T04:59:59Z", "open"],
    [night, "2026-10-25T05:00:00Z", "closed"],
    // other kinds of change: at midnight, by half an hour, in the south
    ["Fri 00:30-02:00 Africa/Cairo", "2026-04-23T21:59:59Z", "closed"],
    ["Fri 00:30-02:00 Africa/Cairo", "2026-04-23T22:00:00Z", "open"],
    ["Sun 01:45-02:15 Australia/Lord_Howe", "2026-04-04T14:50:00Z", "open"],
    ["Sun 01:45-02:15 Australia/Lord_Howe", "2026-04-04T15:20:00Z", "open"],
    ["Mon-Fri 09:00-17:00 America/Sao_Paulo", "2026-11-23T12:00:00Z", "open"],
    // a quarter of an hour off, and beyond the date line
    ["Mon 09:00-09:15 Asia/Kathmandu", "2026-11-23T03:15:00Z", "open"],
    ["Mon 09:00-09:15 Asia/Kathmandu", "2026-11-23T03:30:00Z", "closed"],
    ["Mon 09:00-17:00 Pacific/Kiritimati", "2026-11-22T19:00:00Z", "open"],
    // holidays
    [holidays, "2026-12-23T10:00:00+01:00", "open"],
    [holidays, "2026-12-24T10:00:00+01:00", "open"],
    [holidays, "2026-12-24T12:00:00+01:00", "closed"],
    [holidays, "2026-12-25T10:00:00+01:00", "closed"],
    [holidays, "2030-12-24T10:00:00+01:00", "closed"],
    [holidays, "2030-12-25T10:00:00+01:00", "closed"],
    [holidays, "2027-12-25T10:00:00+01:00", "open"],
    [holidays, "2026-12-24T22:59:59Z", "closed"],
    // a range belongs to the day on which it starts
    [nightAndHoliday, "2026-12-24T23:00:00+01:00", "open"],
    [nightAndHoliday, "2026-12-25T05:00:00+01:00", "open"],
    [nightAndHoliday, "2026-12-25T23:00:00+01:00", "closed"],
    [nightAndHoliday, "2026-12-26T05:00:00+01:00", "closed"],
  ])("%s at %s: %s", (source, at, state) => {
    expect(isOpen(hoursOf(source), Date.parse(at))).toBe(state === "open");
  });

  it("control: the offset of another season gives another answer", () => {
    const winter = hoursOf("Mon-Fri 09:00-17:00 Etc/GMT-1");
    expect(isOpen(winter, Date.parse("2026-07-01T07:00:00Z"))).toBe(false);
  });
});

describe("nextChange while support is closed", () => {
  it.each<[source: string, at: string, opening: string | undefined]>([
    [week, "2026-11-23T08:00:00+01:00", "2026-11-23T09:00:00+01:00"],
    [week, "2026-11-23T17:00:00+01:00", "2026-11-24T09:00:00+01:00"],
    ["Mon-Fri 09:00-17:00 Europe/Berlin", "2026-11-20T18:00:00+01:00", "2026-11-23T09:00:00+01:00"],
    [split, "2026-11-23T12:30:00+01:00", "2026-11-23T13:00:00+01:00"],
    [night, "2026-11-23T07:00:00+01:00", "2026-11-23T22:00:00+01:00"],
    [holidays, "2026-12-24T13:00:00+01:00", "2026-12-28T09:00:00+01:00"],
    // over the change of the clocks, and beyond the date line
    [week, "2026-03-27T18:00:00+01:00", "2026-03-30T09:00:00+02:00"],
    [week, "2026-10-23T18:00:00+02:00", "2026-10-26T09:00:00+01:00"],
    ["Mon 09:00-17:00 Pacific/Kiritimati", "2026-11-20T00:00:00Z", "2026-11-22T19:00:00Z"],
    ["Mon 09:05-09:07 Asia/Kathmandu", "2026-11-20T00:00:00Z", "2026-11-23T03:20:00Z"],
    // a time that the clocks skip, 02:30 on 29 March 2026, and one that they repeat
    ["Sun 02:30-05:00 Europe/Berlin", "2026-03-28T12:00:00Z", "2026-03-29T03:00:00+02:00"],
    ["Sun 02:30-05:00 Europe/Berlin", "2026-10-24T12:00:00Z", "2026-10-25T02:30:00+02:00"],
    ["Sun 02:00-02:30 Europe/Berlin", "2026-10-25T00:45:00Z", "2026-10-25T02:00:00+01:00"],
    ["12-25 closed; Europe/Berlin", "2026-11-20T00:00:00Z", undefined],
  ])("%s at %s: %s", (source, at, opening) => {
    const found = nextChange(hoursOf(source), Date.parse(at));
    expect(found && new Date(found).toISOString()).toBe(opening && new Date(opening).toISOString());
  });
});

describe("nextChange while support is open", () => {
  it.each<[source: string, at: string, closing: string | undefined]>([
    [week, "2026-11-23T10:00:00+01:00", "2026-11-23T17:00:00+01:00"],
    [split, "2026-11-23T11:59:00+01:00", "2026-11-23T12:00:00+01:00"],
    // over midnight, from both sides
    [night, "2026-11-23T23:00:00+01:00", "2026-11-24T06:00:00+01:00"],
    [night, "2026-11-24T05:00:00+01:00", "2026-11-24T06:00:00+01:00"],
    // two days that touch
    [
      "Mon 22:00-24:00; Tue 00:00-06:00; Europe/Berlin",
      "2026-11-23T23:00:00+01:00",
      "2026-11-24T06:00:00+01:00",
    ],
    // over the change of the clocks
    [night, "2026-03-28T23:00:00+01:00", "2026-03-29T06:00:00+02:00"],
    ["Sun 01:00-02:30 Europe/Berlin", "2026-03-29T01:30:00+01:00", "2026-03-29T03:00:00+02:00"],
    ["Sun 01:00-02:30 Europe/Berlin", "2026-10-25T01:30:00+02:00", "2026-10-25T02:30:00+02:00"],
    ["Mon-Sun 00:00-24:00 UTC", "2026-11-23T10:00:00Z", undefined],
  ])("%s at %s: %s", (source, at, closing) => {
    const found = nextChange(hoursOf(source), Date.parse(at));
    expect(found && new Date(found).toISOString()).toBe(closing && new Date(closing).toISOString());
  });
});
