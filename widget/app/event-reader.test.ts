// @vitest-environment node

import { createParser } from "eventsource-parser";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createEventReader } from "./event-reader.ts";

type Seen = [data: string, id: string | undefined];

function readAll(pieces: readonly string[]): Seen[] {
  const seen: Seen[] = [];
  const feed = createEventReader((data, id) => seen.push([data, id]));
  for (const piece of pieces) feed(piece);
  return seen;
}

describe("events are read", () => {
  it.each<[string, string, Seen[]]>([
    ["with id and data", "id: e:1\ndata: {}\n\n", [["{}", "e:1"]]],
    ["without an id", "data: {}\n\n", [["{}", undefined]]],
    ["without the space", "id:e:1\ndata:{}\n\n", [["{}", "e:1"]]],
    ["with several lines of data", "data: a\ndata: b\n\n", [["a\nb", undefined]]],
    ["by CRLF", "id: 1\r\ndata: a\r\n\r\n", [["a", "1"]]],
    [
      "by CR",
      "id: 1\rdata: a\r\rdata: b\r\r:",
      [
        ["a", "1"],
        ["b", undefined],
      ],
    ],
    ["past comments and unknown fields", ":\n\n: ping\nevent: x\nretry: 5\ndata: a\n\n", [["a", undefined]]],
    ["past a field without a colon", "data\n\n", [["", undefined]]],
    ["past what only begins like a field", "data a\ndatum: b\n\n", []],
    ["not where the end is cut off", "data: a\n\ndata: b\n", [["a", undefined]]],
    [
      "with each id its own",
      "id: 1\ndata: a\n\ndata: b\n\n",
      [
        ["a", "1"],
        ["b", undefined],
      ],
    ],
    ["without an id that holds a NUL", "id: 1\0\ndata: a\n\n", [["a", undefined]]],
  ])("%s", (_name, text, events) => {
    expect(readAll([text])).toEqual(events);
    expect(readAll(text.split(""))).toEqual(events);
  });

  it("as another reader reads them, however the text is cut", () => {
    const line = fc.oneof(
      fc.constantFrom(
        "",
        "",
        ":",
        "data",
        "data:",
        "id: 7",
        "data: a",
        "data:b",
        "event: x",
        "retry: 1",
        "x",
      ),
      fc.string({ maxLength: 12 }).map((text) => `data: ${text.replace(/[\r\n]/g, "")}`),
    );
    const end = fc.constantFrom("\n", "\r\n");
    fc.assert(
      fc.property(fc.array(fc.tuple(line, end)), fc.array(fc.nat(40)), (lines, cuts) => {
        const text = lines.map(([words, ending]) => words + ending).join("");
        const expected: Seen[] = [];
        const parser = createParser({ onEvent: ({ data, id }) => expected.push([data, id]) });
        parser.feed(text);
        const pieces = cuts.map((cut, index) => {
          const from = cuts.slice(0, index).reduce((sum, each) => sum + each, 0);
          return text.slice(from, from + cut);
        });
        pieces.push(text.slice(cuts.reduce((sum, each) => sum + each, 0)));
        expect(readAll(pieces).map(([data]) => data)).toEqual(expected.map(([data]) => data));
      }),
    );
  });

  it("a line without an end is refused", () => {
    expect(() => readAll(["x".repeat(1_000_001)])).toThrow("without an end");
  });
});
