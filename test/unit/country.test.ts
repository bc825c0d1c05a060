/** The country that is offered. */
import { expect, test } from "vitest";
import { likelyCountry } from "../../src/kit/country.ts";

test.each([
  ["Europe/Berlin", "en-US", "DE"],
  ["America/New_York", "de-DE", "US"],
  ["Europe/Zurich", "de-CH", "CH"],
  ["Europe/Vienna", "de", "AT"],
  ["UTC", "fr-CA", "CA"],
  ["UTC", "en", "US"],
  ["UTC", "en-001", "US"],
])("in %s, where %s is spoken, %s", (timezone, language, country) => {
  expect(likelyCountry(timezone, language)).toBe(country);
});
