/** IDs as clients send them: a positive integer, or its digits in a string, as form tools send. */

/** The ID; undefined for anything else, and for a number that is no safe integer. */
export function toId(value: unknown): number | undefined {
  const id = typeof value === "string" && /^[0-9]{1,16}$/.test(value) ? Number(value) : value;
  return typeof id === "number" && Number.isSafeInteger(id) && id > 0 ? id : undefined;
}
