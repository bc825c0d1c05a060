/** Ids as clients write them: a positive integer, or its plain digits in a string, which is what form tools send. */

/** The id; undefined for anything else, and for a number that no row can have. */
export function toId(value: unknown): number | undefined {
  const id = typeof value === "string" && /^[0-9]{1,16}$/.test(value) ? Number(value) : value;
  return typeof id === "number" && Number.isSafeInteger(id) && id > 0 ? id : undefined;
}
