import { describe, expect, it } from "vitest";
import { OFF_TOPIC, QUESTIONS } from "./knowledge/testing/knowledge-questions.ts";
import { languagesOfPersonRequest } from "./person-request.ts";
import { POLITE_EVERYWHERE, REQUEST_PHRASES } from "./person-request-phrases.ts";
import { ASKING, type Language, NOT_ASKING } from "./testing/person-requests.ts";

describe.each(Object.keys(REQUEST_PHRASES) as Language[])("AGENT4 in %s", (language) => {
  it.each(ASKING[language])("%s asks for a person", (text) => {
    expect(languagesOfPersonRequest(text)).toContain(language);
  });

  it.each(NOT_ASKING[language])("%s does not ask for a person", (text) => {
    expect(languagesOfPersonRequest(text)).toEqual([]);
  });

  it("at least ten messages are tested either way", () => {
    expect(ASKING[language].length).toBeGreaterThanOrEqual(10);
    expect(NOT_ASKING[language].length).toBeGreaterThanOrEqual(10);
  });
});

it.each([...QUESTIONS.map(([text]) => text), ...OFF_TOPIC])("AGENT4 %s does not ask for a person", (text) => {
  expect(languagesOfPersonRequest(text)).toEqual([]);
});

it("AGENT4 a long message is not searched for a request, and neither is one whose normal form is long", () => {
  expect(languagesOfPersonRequest(`agent${" ".repeat(200)}`)).toContain("en");
  expect(languagesOfPersonRequest(`agent${" ".repeat(300)}`)).toEqual([]);
  // Each of these characters becomes three full stops, and the next one eighteen letters.
  expect(languagesOfPersonRequest(`agent${"…".repeat(200)}`)).toEqual([]);
  expect(languagesOfPersonRequest("ﷺ".repeat(10_000))).toEqual([]);
});

it.each(Object.keys(REQUEST_PHRASES) as Language[])(
  "AGENT4 repeated words that can be read in two ways do not stop the service: %s",
  (language) => {
    const words = `${POLITE_EVERYWHERE}|${REQUEST_PHRASES[language].polite}`.split("|");
    for (const one of words) {
      for (const other of words) {
        for (const repeated of [`${one} ${other} `, `${one}${other}`]) {
          // The control hangs: without a limit on repetitions these take hours.
          expect(languagesOfPersonRequest(`${repeated.repeat(150).slice(0, 299)}x`)).toEqual([]);
        }
      }
    }
  },
);
