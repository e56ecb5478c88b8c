/**
 * The part of a `User-Agent` that names the browser, in the order in which they contain each other: each says Safari, most
 * say Chrome. https://developer.mozilla.org/en-US/docs/Web/HTTP/Guides/Browser_detection_using_the_user_agent
 */
const BROWSERS: readonly (readonly [part: RegExp, name: string])[] = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(Chrome|HeadlessChrome|CriOS)\//, "Chrome"],
  [/\bVersion\/.*\bSafari\//, "Safari"],
];

/** Name of the browser that sent this `User-Agent`, for people who answer; undefined for one that is not well known. */
export function browserName(userAgent: string): string | undefined {
  return BROWSERS.find(([part]) => part.test(userAgent))?.[1];
}
