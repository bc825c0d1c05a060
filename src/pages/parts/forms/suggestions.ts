/** Suggestions of fields whose values few people know by heart. */
import { countries } from "../../../kit/phone.ts";
import { listedTimeZones } from "../../../kit/time/time-zone.ts";
import type { Suggestion } from "./field.ts";

export function timeZoneChoices(): Suggestion[] {
  return listedTimeZones().map((value) => ({ value }));
}

export function countryChoices(): Suggestion[] {
  const names = new Intl.DisplayNames("en", { type: "region" });
  return countries().map((value) => ({ value, text: names.of(value) }));
}
