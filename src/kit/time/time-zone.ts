/** Time zones: tells IANA names from anything else, by what the Intl of this Node knows. */

/** The zones that Intl lists, by lower-case name; built with the first one that is read. */
let listed: Map<string, string> | undefined;

/**
 * The name as IANA spells it (`america/new_york` → `America/New_York`), or undefined for what is none: offsets such as `+02:00`,
 * abbreviations such as `PST`, and names without an area, UTC and GMT excepted. A link that Intl knows and does not list stays as
 * it was given: `Asia/Kolkata` must not come back as `Asia/Calcutta`, which is what Intl itself would answer.
 */
export function canonicalTimeZone(name: string): string | undefined {
  listed ??= new Map([...Intl.supportedValuesOf("timeZone"), "UTC", "GMT"].map((zone) => [zone.toLowerCase(), zone]));
  const known = listed.get(name.toLowerCase());
  if (known !== undefined) return known;
  // ICU keeps zones of System V that IANA does not have.
  return /^(?!systemv\/)[a-z_]+\//i.test(name) && isKnownToIntl(name) ? name : undefined;
}

function isKnownToIntl(name: string): boolean {
  try {
    return Intl.DateTimeFormat("en", { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}
