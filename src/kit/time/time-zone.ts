/** Validates IANA time zone names with Intl. */

/** The zones that Intl lists, by lower-case name; built on first use. */
let listed: Map<string, string> | undefined;

/**
 * The canonical spelling (`america/new_york` → `America/New_York`); undefined for offsets such as `+02:00`,
 * abbreviations such as `PST`, and names without an area except UTC and GMT. A link that Intl accepts but does not list
 * is kept as given: `Asia/Kolkata` must not become `Asia/Calcutta`, as Intl would have it.
 */
export function canonicalTimeZone(name: string): string | undefined {
  const known = zonesByName().get(name.toLowerCase());
  if (known !== undefined) return known;
  // ICU knows System V zones that IANA does not have.
  return /^(?!systemv\/)[a-z_]+\//i.test(name) && isKnownToIntl(name) ? name : undefined;
}

/** Every zone that Intl lists, for suggestions. */
export function listedTimeZones(): string[] {
  return [...zonesByName().values()];
}

function zonesByName(): ReadonlyMap<string, string> {
  return (listed ??= new Map(
    [...Intl.supportedValuesOf("timeZone"), "UTC", "GMT"].map((zone) => [zone.toLowerCase(), zone]),
  ));
}

function isKnownToIntl(name: string): boolean {
  try {
    return Intl.DateTimeFormat("en", { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}
