import { describe, expect, it } from "vitest";
import { hoursOf, noFile, sentencesOf } from "./testing/routing-kit.ts";

const ZONE = '"timeZone": "Europe/Berlin"';
const WEEK = '"week": {"mon": ["09:00-17:00"]}';
const DAYS = "mon, tue, wed, thu, fri, sat and sun";
const FORM = 'write it as "09:00-17:30".';

describe("hours that are wrong stop the start with their sentence", () => {
  it.each<[source: string, ...sentences: string[]]>([
    // JSON form
    ["{", "is not valid JSON: line 1, column 2: the text ends where a key in double quotes is expected."],
    ["[]", "must be an object, but it is a list."],
    [
      "{}",
      '"timeZone" is missing; give an IANA name such as "Europe/Berlin".',
      '"week" is missing; give the hours of each day, such as {"mon": ["09:00-17:00"]}.',
    ],
    [`{${ZONE}, ${ZONE}, ${WEEK}}`, 'holds the key "timeZone" twice.'],
    [`{${ZONE}, ${WEEK}, "timezone": 1}`, '"timezone" is not a key of the hours; did you mean "timeZone"?'],
    [
      `{${ZONE}, ${WEEK}, "note": 1}`,
      '"note" is not a key of the hours; its keys are timeZone, week and holidays.',
    ],
    [
      `{"timeZone": 1, ${WEEK}}`,
      '"timeZone" must be an IANA name such as "Europe/Berlin", but it is the number 1.',
    ],
    [
      `{"timeZone": "Europe/Berln", ${WEEK}}`,
      '"timeZone" is "Europe/Berln", which is not an IANA time zone; did you mean "Europe/Berlin"?',
    ],
    [
      `{"timeZone": "Berlin", ${WEEK}}`,
      '"timeZone" is "Berlin", which is not an IANA time zone; did you mean "Europe/Berlin"?',
    ],
    [
      `{"timeZone": "new york", ${WEEK}}`,
      '"timeZone" is "new york", which is not an IANA time zone; did you mean "America/New_York"?',
    ],
    [
      `{"timeZone": "BST", ${WEEK}}`,
      '"timeZone" is "BST", which is not an IANA time zone; write one such as "Europe/Berlin" or "UTC".',
    ],
    [
      `{"timeZone": "EST", ${WEEK}}`,
      '"timeZone" is "EST", which is not an IANA time zone; write one such as "Europe/Berlin" or "UTC".',
    ],
    [
      `{"timeZone": "+01:00", ${WEEK}}`,
      '"timeZone" is "+01:00", which is not an IANA time zone; write one such as "Europe/Berlin" or "UTC".',
    ],
    [
      `{"timeZone": "Mars/Base", ${WEEK}}`,
      '"timeZone" is "Mars/Base", which is not an IANA time zone; write one such as "Europe/Berlin" or "UTC".',
    ],
    [`{${ZONE}, "week": []}`, '"week" must be an object such as {"mon": ["09:00-17:00"]}, but it is a list.'],
    [`{${ZONE}, "week": {}}`, '"week" holds no opening at all; give at least one day its hours.'],
    [
      `{${ZONE}, "week": {"mon": []}, "holidays": ["12-25"]}`,
      '"week" holds no opening at all; give at least one day its hours.',
    ],
    [
      `{${ZONE}, "week": {"monday": ["09:00-17:00"]}}`,
      '"monday" is not a key of "week"; did you mean "mon"?',
    ],
    [`{${ZONE}, "week": {"holiday": []}}`, `"holiday" is not a key of "week"; its keys are ${DAYS}.`],
    [
      `{${ZONE}, "week": {"mon": "09:00-17:00"}}`,
      '"week.mon" must be a list of times such as ["09:00-17:00"], but it is the text "09:00-17:00".',
    ],
    [`{${ZONE}, "week": {"mon": [9]}}`, '"week.mon" may hold only texts, but holds the number 9.'],
    [
      `{${ZONE}, "week": {"mon": ["9-17"]}}`,
      `"week.mon" holds "9-17", which is not a range of times; ${FORM}`,
    ],
    [
      `{${ZONE}, "week": {"mon": ["09:00"]}}`,
      `"week.mon" holds "09:00", which is not a range of times; ${FORM}`,
    ],
    [
      `{${ZONE}, "week": {"mon": ["09:00-17:60"]}}`,
      `"week.mon" holds "09:00-17:60", which is not a range of times; ${FORM}`,
    ],
    [
      `{${ZONE}, "week": {"mon": ["24:00-25:00"]}}`,
      `"week.mon" holds "24:00-25:00", which is not a range of times; ${FORM}`,
    ],
    [
      `{${ZONE}, "week": {"mon": ["09:00-24:01"]}}`,
      `"week.mon" holds "09:00-24:01", which is not a range of times; ${FORM}`,
    ],
    [
      `{${ZONE}, "week": {"mon": ["09:00-09:00"]}}`,
      '"week.mon" holds "09:00-09:00", which is empty; the whole day is "00:00-24:00".',
    ],
    [
      `{${ZONE}, "week": {"mon": ["12:00-14:00", "09:00-12:01"]}}`,
      '"week.mon" holds "09:00-12:01" and "12:00-14:00", which overlap.',
    ],
    [
      `{${ZONE}, "week": {"mon": ["22:00-06:00", "23:00-24:00"]}}`,
      '"week.mon" holds "22:00-06:00" and "23:00-24:00", which overlap.',
    ],
    [
      `{${ZONE}, ${WEEK}, "holidays": "2026-12-25"}`,
      '"holidays" must be a list of dates such as ["2026-12-25"], but it is the text "2026-12-25".',
    ],
    [
      `{${ZONE}, ${WEEK}, "holidays": ["2026-02-29"]}`,
      '"holidays", entry 1: "2026-02-29" is not a date; write "2026-12-25", or "12-25" for every year.',
    ],
    [
      `{${ZONE}, ${WEEK}, "holidays": ["25.12.2026"]}`,
      '"holidays", entry 1: "25.12.2026" is not a date; write "2026-12-25", or "12-25" for every year.',
    ],
    [
      `{${ZONE}, ${WEEK}, "holidays": ["12-25", "12-32"]}`,
      '"holidays", entry 2: "12-32" is not a date; write "2026-12-25", or "12-25" for every year.',
    ],
    [
      `{${ZONE}, ${WEEK}, "holidays": ["12-25", "12-25"]}`,
      '"holidays", entry 2: "12-25" stands there twice.',
    ],
    [
      `{${ZONE}, ${WEEK}, "holidays": [5]}`,
      '"holidays", entry 1: must be a date such as "2026-12-25" or {"date": "2026-12-24", "hours": ["09:00-12:00"]}, but it is the number 5.',
    ],
    [
      `{${ZONE}, ${WEEK}, "holidays": [{"date": "2026-12-24"}]}`,
      '"holidays", entry 1: "hours" is missing; give the hours of the day, or write the date alone for a closed day.',
    ],
    [
      `{${ZONE}, ${WEEK}, "holidays": [{"hours": ["09:00-12:00"]}]}`,
      '"holidays", entry 1: "date" is missing; give a date such as "2026-12-24".',
    ],
    [
      `{${ZONE}, ${WEEK}, "holidays": [{"date": "2026-13-01", "hours": ["9-12"], "hour": 1}]}`,
      `"holidays", entry 1: "hours" holds "9-12", which is not a range of times; ${FORM}`,
      '"holidays", entry 1: "hour" is not a key of a holiday; did you mean "hours"?',
      '"holidays", entry 1: "2026-13-01" is not a date; write "2026-12-25", or "12-25" for every year.',
    ],
    [
      `{"timeZone": "X", "week": {"mon": ["x"], "die": []}, "holidays": ["x"]}`,
      '"timeZone" is "X", which is not an IANA time zone; write one such as "Europe/Berlin" or "UTC".',
      `"week.mon" holds "x", which is not a range of times; ${FORM}`,
      `"die" is not a key of "week"; its keys are ${DAYS}.`,
      '"holidays", entry 1: "x" is not a date; write "2026-12-25", or "12-25" for every year.',
    ],
    // short form
    ["Mon-Fri 09:00-17:00", 'has no time zone at its end; write one such as "Europe/Berlin".'],
    [
      "Mon-Fri 09:00-17:00 Berlin",
      'ends with "Berlin", which is not an IANA time zone; did you mean "Europe/Berlin"?',
    ],
    [
      "Mo-Fr 09:00-17:00 UTC",
      'holds "Mo-Fr", which is not a day or a range of days; write Mon, Mon-Fri or Sat,Sun.',
    ],
    [
      "Mon-Wed-Fri 09:00-17:00 UTC",
      'holds "Mon-Wed-Fri", which is not a day or a range of days; write Mon, Mon-Fri or Sat,Sun.',
    ],
    ["Mon-Fri UTC", 'gives no time for "Mon-Fri"; write it as "Mon-Fri 09:00-17:00".'],
    ["Mon-Fri 9-5 UTC", `holds "9-5", which is not a range of times; ${FORM}`],
    ["Mon-Fri 09:00-09:00 UTC", 'holds "09:00-09:00", which is empty; the whole day is "00:00-24:00".'],
    ["Mon-Fri 09:00-12:00 11:00-13:00 UTC", 'holds "09:00-12:00" and "11:00-13:00", which overlap.'],
    ["Mon-Fri 09:00-12:00; Fri 13:00-14:00 UTC", 'names "fri" twice; write all its times in one part.'],
    ["UTC", '"week" holds no opening at all; give at least one day its hours.'],
    [
      "always",
      'ends with "always", which is not an IANA time zone; write one such as "Europe/Berlin" or "UTC".',
    ],
    [
      "Mo 9-5; Tue Mars",
      'holds "Mo", which is not a day or a range of days; write Mon, Mon-Fri or Sat,Sun.',
      `holds "9-5", which is not a range of times; ${FORM}`,
      'gives no time for "Tue"; write it as "Tue 09:00-17:00".',
      'ends with "Mars", which is not an IANA time zone; write one such as "Europe/Berlin" or "UTC".',
    ],
    // a file
    ["hours.json", 'is neither JSON nor a file that can be read (ENOENT): "hours.json".'],
  ])("%s", (source, ...sentences) => {
    expect(sentencesOf({ SUPPORT_HOURS: source })).toEqual(
      sentences.map((sentence) => `SUPPORT_HOURS ${sentence}`),
    );
  });
});

describe("hours that are right", () => {
  it.each<[short: string, json: string]>([
    ["Mon 09:00-17:00 UTC", '{"timeZone": "UTC", "week": {"mon": ["09:00-17:00"]}}'],
    [
      "mon,WED 9:00-17:00; UTC",
      '{"timeZone": "UTC", "week": {"mon": ["09:00-17:00"], "wed": ["09:00-17:00"]}}',
    ],
    [
      "Sat-Mon 09:00-12:00, 13:00-14:00 UTC",
      '{"timeZone": "UTC", "week": {"sat": ["09:00-12:00", "13:00-14:00"], "sun": ["13:00-14:00", "09:00-12:00"], "mon": ["09:00-12:00", "13:00-14:00"]}}',
    ],
    ["Fri 22:00-06:00; Europe/Berlin", '{"timeZone": "Europe/Berlin", "week": {"fri": ["22:00-06:00"]}}'],
  ])("%s is the short form of %s", (short, json) => {
    const [one, other] = [hoursOf(short), hoursOf(json)];
    const sorted = (week: typeof one.week) => week.map((day) => day.toSorted((a, b) => a.from - b.from));
    expect(one.timeZone).toBe(other.timeZone);
    expect(sorted(one.week)).toEqual(sorted(other.week));
  });

  it("come from a file where SUPPORT_HOURS names one", () => {
    const file = '{"timeZone": "UTC", "week": {"mon": ["09:00-17:00"]}}';
    const readFile = (path: string) => (path === "/etc/hours.json" ? file : noFile(path));
    expect(sentencesOf({ SUPPORT_HOURS: "/etc/hours.json" }, readFile)).toEqual([]);
  });

  it("an empty variable means that none are set", () => {
    expect(sentencesOf({ SUPPORT_HOURS: " " })).toEqual([]);
  });
});
