/** Guesses the country of this machine, as a default to offer. */
import { countries, isCountry } from "./phone.ts";

/** Time zones by country, which the Intl types of TypeScript lack. */
interface Region {
  getTimeZones?(): string[] | undefined;
}

/**
 * The country of the language (`de-AT` is AT) if the time zone is one of its zones, else the first country with the
 * zone, else that of the language, else US.
 */
export function likelyCountry(timezone: string, language: string): string {
  const spoken = new Intl.Locale(language).region ?? "";
  if (hasZone(spoken, timezone)) return spoken;
  return countries().find((country) => hasZone(country, timezone)) ?? (isCountry(spoken) ? spoken : "US");
}

function hasZone(country: string, timezone: string): boolean {
  if (!isCountry(country)) return false;
  return (new Intl.Locale(`und-${country}`) as Region).getTimeZones?.()?.includes(timezone) === true;
}
