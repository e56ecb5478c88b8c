import { describe, expect, it } from "vitest";
import { hoursOf, noFile, sentencesOf } from "./testing/routing-kit.ts";

const ZONE = "must end with an IANA time zone such as Europe/Berlin or UTC, but ends with";
const RANGE = "which is not a range of times; write it as 09:00-17:30, the whole day as 00:00-24:00.";
const DAY = "which is not a day; write Mon, Mon-Fri, Sat,Sun, 12-25 or 2026-12-25.";

describe("hours that are wrong stop the start with their sentences", () => {
  it.each<[source: string, ...sentences: string[]]>([
    [
      "Mon-Fri 09:00-17:00",
      `${ZONE} "09:00-17:00".`,
      'gives no time for "Mon-Fri"; write "Mon-Fri 09:00-17:00" or "Mon-Fri closed".',
    ],
    ["Mon-Fri 09:00-17:00 Berlin", `${ZONE} "Berlin".`],
    ["Mon-Fri 09:00-17:00 Europe/Berln", `${ZONE} "Europe/Berln".`],
    ["Mon-Fri 09:00-17:00 BST", `${ZONE} "BST".`],
    ["Mon-Fri 09:00-17:00 EST", `${ZONE} "EST".`],
    ["Mon-Fri 09:00-17:00 +01:00", `${ZONE} "+01:00".`],
    ["Mon-Fri 09:00-17:00 Mars/Base", `${ZONE} "Mars/Base".`],
    ["Mo-Fr 09:00-17:00; Sat 09:00-12:00 UTC", `holds "mo-fr", ${DAY}`],
    ["Mon-Wed-Fri 09:00-17:00; Sat 09:00-12:00 UTC", `holds "mon-wed-fri", ${DAY}`],
    ["2026-02-29 09:00-17:00; Sat 09:00-12:00 UTC", `holds "2026-02-29", ${DAY}`],
    ["25.12.2026 closed; Sat 09:00-12:00 UTC", `holds "25.12.2026", ${DAY}`],
    ["12-32 closed; Sat 09:00-12:00 UTC", `holds "12-32", ${DAY}`],
    ["Mon; Sat 09:00-12:00 UTC", 'gives no time for "Mon"; write "Mon 09:00-17:00" or "Mon closed".'],
    ...["9-5", "09:00", "09:00-17:60", "24:00-25:00", "09:00-24:01", "09:00-09:00"].map(
      (times): [string, string] => [`Mon ${times}; Sat 09:00-12:00 UTC`, `holds "${times}", ${RANGE}`],
    ),
    ["Mon-Fri 09:00-12:00; Fri 13:00-14:00 UTC", 'names "fri" twice; write all its times in one part.'],
    [
      "12-25 closed; 12-25 closed; Fri 13:00-14:00 UTC",
      'names "12-25" twice; write all its times in one part.',
    ],
    [
      "Mo 9-5; Tue Mars",
      `${ZONE} "Mars".`,
      `holds "9-5", ${RANGE}`,
      `holds "mo", ${DAY}`,
      'gives no time for "Tue"; write "Tue 09:00-17:00" or "Tue closed".',
    ],
    ["always", 'names a file that can\'t be read (ENOENT): "always".'],
  ])("%s", (source, ...sentences) => {
    expect(sentencesOf({ SUPPORT_HOURS: source })).toEqual(
      sentences.map((sentence) => `SUPPORT_HOURS ${sentence}`),
    );
  });
});

describe("hours that are valid", () => {
  const morning = { from: 540, to: 720 };
  const afternoon = { from: 780, to: 840 };

  it.each<[source: string, days: Record<string, object[]>]>([
    ["Mon 09:00-12:00 UTC", { mon: [morning] }],
    ["mon,WED 9:00-12:00; UTC", { mon: [morning], wed: [morning] }],
    [
      "Sat-Mon 09:00-12:00, 13:00-14:00 UTC",
      { sat: [morning, afternoon], sun: [morning, afternoon], mon: [morning, afternoon] },
    ],
    [
      "Fri 22:00-06:00;\n12-25 closed\n2026-12-24 09:00-12:00\nUTC\n",
      { fri: [{ from: 1320, to: 1800 }], "12-25": [], "2026-12-24": [morning] },
    ],
    ["Sat,02-29 00:00-24:00 UTC", { sat: [{ from: 0, to: 1440 }], "02-29": [{ from: 0, to: 1440 }] }],
  ])("%s", (source, days) => {
    expect(Object.fromEntries(hoursOf(source).days)).toEqual(days);
    expect(hoursOf(source).timeZone).toBe("UTC");
  });

  it("come from a file where SUPPORT_HOURS names one", () => {
    const readFile = (path: string) =>
      path === "/etc/hours" ? "\uFEFFMon 09:00-17:00\nUTC\n" : noFile(path);
    expect(sentencesOf({ SUPPORT_HOURS: "/etc/hours" }, readFile)).toEqual([]);
  });

  it("an empty variable means that none are set", () => {
    expect(sentencesOf({ SUPPORT_HOURS: " " })).toEqual([]);
  });
});
