import { expect, test } from "vitest";
import { browserName } from "./browser-name.ts";

const MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko)";
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)";

test.each([
  [`${MAC} Chrome/142.0.0.0 Safari/537.36`, "Chrome"],
  [`${MAC} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`, "Edge"],
  [`${MAC} Chrome/142.0.0.0 Safari/537.36 OPR/121.0.0.0`, "Opera"],
  [`${MAC} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`, "Samsung Internet"],
  [`${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1`, "Safari"],
  [`${IPHONE} CriOS/142.0.0.0 Mobile/15E148 Safari/604.1`, "Chrome"],
  [`${IPHONE} FxiOS/144.0 Mobile/15E148 Safari/605.1.15`, "Firefox"],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0", "Firefox"],
  ["curl/8.14.1", undefined],
  ["", undefined],
])("DESK13 %s is %s", (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name);
});
