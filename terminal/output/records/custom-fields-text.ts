/** The custom values of a record, as lines of its details. */

/** By key; fields without a value are left out. */
export function describeCustomFields(
  values: Readonly<Record<string, string | number | boolean | readonly string[] | null>> = {},
): Record<string, string | null> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, Array.isArray(value) ? value.join(", ") : toText(value)]),
  );
}

function toText(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value);
}
