/** The country that a machine is probably in: a default to offer, never one to rely on. */
import { countries, isCountry } from "./phone.ts";

/** Zones by country, which is older than what TypeScript knows of Intl. */
interface Region {
  getTimeZones?(): string[] | undefined;
}

/**
 * The country of the language (`de-AT` is AT) where the time zone is one of its own, else the first that has the zone, else that of the
 * language, else US.
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
