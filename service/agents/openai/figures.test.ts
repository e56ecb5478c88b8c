import { expect, test } from "vitest";
import { figuresOf } from "./figures.ts";

test.each([
  ["4.5 hours, 4,5 hours, 4.50 hours", ["4.5", "4.5", "4.5"]],
  ["45 hours", ["45"]],
  ["6.95 or 695", ["6.95", "695"]],
  ["1,234 and 1.234 and 1\u00a0234 and 1'234", ["1234", "1234", "1234", "1234"]],
  ["1,234.50 and 1.234,5", ["1234.5", "1234.5"]],
  ["12,345,678", ["12345678"]],
  ["0.125 and 0,125", ["0.125", "0.125"]],
  ["20.00 €, 20 €", ["20", "20"]],
  ["room 007", ["7"]],
  ["٤٫٥ and ٤٥", ["4", "5", "45"]],
])("%s", (text, figures) => {
  expect(figuresOf(text)).toEqual(figures);
});
